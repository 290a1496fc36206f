import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { apiOfExports, exportsOf, fetchedByLinks } from './support/exports.ts';
import { Refusal, type FakeApi } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { apiOfOrganization } from './support/organization.ts';
import { signedInAs } from './support/starts.ts';

const path = '/organization/export';
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const begun = (file: string) => page.getByText(`Your browser is fetching ${file}`);
const queriesOf = (api: FakeApi, asked: string) =>
  api.requests.filter(({ operation }) => operation === asked).map(({ query }) => query);

describe('an archive', () => {
  test.each([
    ['Leads', exportsOf.leads, 'leads-service.zip'],
    ['People', exportsOf.people, 'users-service.zip'],
    ['Quotes and customers', exportsOf.quotes, 'quotation-service.zip'],
    ['Organization and access', exportsOf.organization, 'auth-service.zip'],
  ])(
    'of %s is fetched by a link once it may begin: the page holds none of it [S-337]',
    async (part, operation, file) => {
      const fetched = fetchedByLinks();
      const api = apiOfExports();
      await open(path, api);
      await press(`Export: ${part}`);
      await expect.element(begun(file)).toBeVisible();
      expect(fetched).toEqual([[file, operation.replace('GET ', '')]]);
      expect(queriesOf(api, operation)).toEqual([{ mode: 'check' }]);
    },
  );

  test('of quotes has all PDFs, none, or those of a year', async () => {
    const fetched = fetchedByLinks();
    const api = apiOfExports();
    await open(path, api);
    const choice = page.getByLabelText('PDFs of sent quotes');
    await choice.selectOptions('none');
    await press('Export: Quotes and customers');
    await expect.element(begun('quotation-service.zip')).toBeVisible();
    await choice.selectOptions('year');
    await page.getByLabelText('Year', { exact: true }).fill('2025');
    await press('Export: Quotes and customers');
    const address = exportsOf.quotes.replace('GET ', '');
    await expect
      .poll(() => fetched.map(([, href]) => href))
      .toEqual([`${address}?pdfs=none`, `${address}?year=2025`]);
    expect(queriesOf(api, exportsOf.quotes)).toEqual([
      { mode: 'check', pdfs: 'none' },
      { mode: 'check', year: '2025' },
    ]);
  });

  test('of a year that there cannot be says so beside the field', async () => {
    const details = [{ field: 'year', rule: 'minimum', params: { limit: 2000 }, message: '' }];
    const api = apiOfExports().on(exportsOf.quotes, new Refusal(400, 'VALIDATION_ERROR', { details }));
    await open(path, api);
    await page.getByLabelText('PDFs of sent quotes').selectOptions('year');
    const year = page.getByLabelText('Year', { exact: true });
    await year.fill('26');
    await press('Export: Quotes and customers');
    await expect.element(year).toHaveFocus();
    await expect.element(year).toHaveAccessibleDescription(/2000/);
  });

  test.each([
    [new Refusal(429, 'RATE_LIMITED'), /twice an hour, and an organization writes one archive/],
    [new Refusal(503, 'UPSTREAM_UNAVAILABLE'), /^A service is away/],
  ])('that is refused says what that means, and can be asked for again', async (refusal, text) => {
    const fetched = fetchedByLinks();
    const api = apiOfExports().on(exportsOf.leads, refusal);
    await open(path, api);
    await press('Export: Leads');
    await expect.element(page.getByText(text)).toBeVisible();
    await expect.element(page.getByRole('alert')).toBeVisible();
    expect(fetched).toEqual([]);
    api.on(exportsOf.leads, {});
    await press('Export: Leads');
    await expect.element(begun('leads-service.zip')).toBeVisible();
    await expect.element(page.getByText(text)).not.toBeInTheDocument();
  });
});

describe('who exports', () => {
  test('signs in again where a service asks for it, which does not know how they can', async () => {
    const stale = new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'SIGN_IN_REQUIRED' });
    let isRecent = false;
    const fetched = fetchedByLinks();
    const api = apiOfExports()
      .on(exportsOf.leads, () => (isRecent ? {} : stale))
      .on('POST /api/auth/sign-in/email', () => {
        isRecent = true;
        return { user: {}, session: {} };
      });
    await open(path, api);
    await press('Export: Leads');
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabelText('Password').fill('correct horse');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect.element(begun('leads-service.zip')).toBeVisible();
    expect(fetched).toHaveLength(1);
  });

  test('gives the second factor that they have', async () => {
    const stale = new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'SECOND_FACTOR_REQUIRED' });
    const start = signedInAs('owner');
    const twoFactor = { enabled: true, methods: ['passkey' as const], backupCodesLeft: 0 };
    await open(path, apiOfExports({ ...start, twoFactor }).on(exportsOf.people, stale));
    await press('Export: People');
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await expect.element(dialog.getByRole('button', { name: /passkey/i })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(page.getByText('Nothing was exported.')).toBeVisible();
  });

  test('finds the way on the page of the organization, and before deleting it', async () => {
    for (const [part, name] of [
      ['data', 'Export the organization'],
      ['danger', 'Export it first'],
    ] as const) {
      const { leave } = await open(`/organization/${part}`, apiOfOrganization(signedInAs('owner')));
      await expect
        .element(page.getByRole('link', { name, exact: true }))
        .toHaveAttribute('href', '/organization/export');
      await leave();
    }
  });

  test('is an owner: an admin finds no way', async () => {
    await open('/organization/data', apiOfOrganization(signedInAs('admin')));
    await expect.element(page.getByRole('region', { name: 'Storage' })).toBeVisible();
    expect(page.getByRole('link', { name: /^Export/ }).elements()).toEqual([]);
  });
});
