import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { apiOfExports, archive, exportsOf } from './support/exports.ts';
import { Refusal, type FakeApi } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { apiOfOrganization } from './support/organization.ts';
import { signedInAs } from './support/starts.ts';

const path = '/organization/export';
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const saved = (file: string) => page.getByRole('link', { name: `Save ${file} again` });
const queriesOf = (api: FakeApi, asked: string) =>
  api.requests.filter(({ operation }) => operation === asked).map(({ query }) => query);

describe('an archive', () => {
  test.each([
    ['Leads', exportsOf.leads, 'leads-service.zip'],
    ['People', exportsOf.people, 'users-service.zip'],
    ['Quotes and customers', exportsOf.quotes, 'quotation-service.zip'],
  ])('of %s is saved once it is whole', async (part, operation, file) => {
    const api = apiOfExports();
    await open(path, api);
    await press(`Export: ${part}`);
    const link = saved(file);
    await expect.element(link).toHaveAttribute('download', file);
    const fetched = await fetch((link.element() as HTMLAnchorElement).href);
    expect(await fetched.text()).toBe(await archive.text());
    expect(queriesOf(api, operation)).toEqual([{}]);
  });

  test('of quotes has all PDFs, none, or those of a year', async () => {
    const api = apiOfExports();
    await open(path, api);
    const choice = page.getByLabelText('PDFs of sent quotes');
    await choice.selectOptions('none');
    await press('Export: Quotes and customers');
    await expect.element(saved('quotation-service.zip')).toBeVisible();
    await choice.selectOptions('year');
    await page.getByLabelText('Year', { exact: true }).fill('2025');
    await press('Export: Quotes and customers');
    await expect.poll(() => queriesOf(api, exportsOf.quotes)).toEqual([{ pdfs: 'none' }, { year: '2025' }]);
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
    [() => Promise.reject(new TypeError('the connection was lost')), /broke off and was not saved/],
  ])('that is refused says what that means, and can be asked for again', async (refusal, text) => {
    const api = apiOfExports().on(exportsOf.leads, refusal);
    await open(path, api);
    await press('Export: Leads');
    await expect.element(page.getByText(text)).toBeVisible();
    await expect.element(page.getByRole('alert')).toBeVisible();
    api.on(exportsOf.leads, archive);
    await press('Export: Leads');
    await expect.element(saved('leads-service.zip')).toBeVisible();
    await expect.element(page.getByText(text)).not.toBeInTheDocument();
  });
});

describe('a page that an archive is fetched by', () => {
  // Where there is room, the ways to other pages are beside this one.
  beforeEach(() => page.viewport(1280, 800));

  test('is left only by somebody who is asked first', async () => {
    let finish: (blob: Blob) => void = () => undefined;
    const writing = new Promise<Blob>((resolve) => (finish = resolve));
    const { address } = await open(
      path,
      apiOfExports().on(exportsOf.leads, () => writing),
    );
    await press('Export: Leads');
    await expect.element(page.getByText(/Keep this page open/)).toBeVisible();
    await page.getByRole('link', { name: '← Organization' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    expect(address()).toBe(path);
    finish(archive);
    await expect.element(saved('leads-service.zip')).toBeVisible();
  });
});

describe('who exports', () => {
  test('signs in again where a service asks for it, which does not know how they can', async () => {
    const stale = new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'SIGN_IN_REQUIRED' });
    let isRecent = false;
    const api = apiOfExports()
      .on(exportsOf.leads, () => (isRecent ? archive : stale))
      .on('POST /api/auth/sign-in/email', () => {
        isRecent = true;
        return { user: {}, session: {} };
      });
    await open(path, api);
    await press('Export: Leads');
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByLabelText('Password').fill('correct horse');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect.element(saved('leads-service.zip')).toBeVisible();
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
    await open('/organization', apiOfOrganization(signedInAs('owner')));
    for (const name of ['Export the organization', 'Export it first']) {
      await expect
        .element(page.getByRole('link', { name, exact: true }))
        .toHaveAttribute('href', '/organization/export');
    }
  });

  test('is an owner: an admin finds no way', async () => {
    await open('/organization', apiOfOrganization(signedInAs('admin')));
    await expect.element(page.getByRole('region', { name: 'Storage' })).toBeVisible();
    expect(page.getByRole('link', { name: /^Export/ }).elements()).toEqual([]);
  });
});
