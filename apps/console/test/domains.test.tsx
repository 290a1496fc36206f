import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  apiOfDomains,
  domainsPath,
  missingDomain,
  pendingDomain,
  provenDomain,
  suspendedDomain,
} from './support/domains.ts';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import { organization, signedIn, signedInAs } from './support/starts.ts';

const path = '/organization/access';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: RegExp) => page.getByRole('heading', { name, level: 2 });
const field = page.getByLabelText('Domain', { exact: true });
const proof = new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'PASSWORD_REQUIRED' });

describe('a domain', () => {
  test('says how it stands in a sentence, as people write it, with the record where it is needed', async () => {
    await open(path, apiOfDomains());
    await expect.element(heading(/acme\.example Not proven/)).toBeVisible();
    await expect.element(heading(/müller-dach\.example Proven/)).toBeVisible();
    await expect.element(heading(/acme\.test Record missing/)).toBeVisible();
    await expect.element(heading(/acme-old\.example Suspended/)).toBeVisible();
    await expect.element(page.getByText(/The record was last seen on 21 Nov 2026, 13:00/)).toBeVisible();
    await expect.element(page.getByText(/^Suspended on 22 November 2026/)).toBeVisible();
    const values = page.getByText(provenDomain.record.value);
    expect(values.elements().filter((each) => each.checkVisibility())).toHaveLength(3);
    await page.getByText('Show the record').click();
    expect(values.elements().filter((each) => each.checkVisibility())).toHaveLength(4);
  });

  test('is added by keyboard; its record is copied, and checked', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const api = apiOfDomains([])
      .on(`POST ${domainsPath}`, { domain: pendingDomain })
      .on(`POST ${domainsPath}/a-domain/verify`, { domain: { ...provenDomain, id: 'a-domain' } });
    await open(path, api);
    await field.fill('acme.example');
    await userEvent.keyboard('{Enter}');
    await expect.element(heading(/acme\.example Not proven/)).toHaveFocus();
    await expect.element(field).toHaveValue('');
    expect(api.sentTo(`POST ${domainsPath}`)).toEqual([{ domain: 'acme.example', joins: 'nobody' }]);
    await userEvent.tab();
    await expect.element(button('Check now: acme.example')).toHaveFocus();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => write.mock.calls.flat())
      .toEqual([pendingDomain.record.name, pendingDomain.record.value]);
    await button('Check now: acme.example').click();
    await expect.element(heading(/Proven/)).toBeVisible();
    await expect.element(page.getByText('The record of acme.example is there.')).toBeVisible();
  });

  test.each([
    ['freeMail', 'Anyone can get an address in this domain. Enter one of your own.'],
    ['publicSuffix', 'Anyone can register a domain below this one. Enter your own.'],
    ['domain', 'This is not a domain. An example is company.com.'],
    ['unique', 'This is already taken.'],
  ])('that is refused says why beside the field: %s', async (rule, said) => {
    const details = [{ field: 'domain', rule, message: '' }];
    const refused = new Refusal(400, 'VALIDATION_ERROR', { details });
    await open(path, apiOfDomains([]).on(`POST ${domainsPath}`, refused));
    await field.fill('gmail.com');
    await userEvent.keyboard('{Enter}');
    await expect.element(field).toHaveAccessibleDescription(new RegExp(said.slice(0, 30)));
  });

  test.each([
    ['DOMAIN_NOT_VERIFIED', 'RECORD_DIFFERENT', /another value/],
    ['DOMAIN_NOT_VERIFIED', 'RECORD_UNREADABLE', /did not answer/],
    ['DOMAIN_TAKEN', undefined, /Another organization has proven/],
  ] as const)('that is not proven says why: %s %s', async (code, reason, said) => {
    const verify = `POST ${domainsPath}/a-domain/verify`;
    await open(path, apiOfDomains([pendingDomain]).on(verify, new Refusal(409, code, { reason })));
    await button('Check now: acme.example').click();
    await expect.element(page.getByRole('alert')).toHaveTextContent(said);
    await expect.element(button('Check now: acme.example')).toHaveFocus();
  });

  test('lets people join once a proof was given, and no longer without one', async () => {
    const update = `PATCH ${domainsPath}/a-domain`;
    const api = apiOfDomains([{ ...provenDomain, id: 'a-domain', joins: 'nobody' }]).on(
      update,
      ({ body }) => {
        const { joins, password } = body as { joins: 'nobody' | 'member'; password?: string };
        if (joins === 'member' && password === undefined) return proof;
        return { domain: { ...provenDomain, id: 'a-domain', joins } };
      },
    );
    await open(path, api);
    const joins = page.getByRole('checkbox', { name: /^Anyone with a confirmed address/ });
    await joins.click();
    await page.getByLabelText('Password', { exact: true }).fill('correct horse');
    await button('Confirm').click();
    await expect.element(joins).toBeChecked();
    await joins.click();
    await expect.element(joins).not.toBeChecked();
    await expect.element(page.getByText(/need an invitation now/)).toBeVisible();
    expect(api.sentTo(update)).toEqual([
      { joins: 'member' },
      { joins: 'member', password: 'correct horse' },
      { joins: 'nobody' },
    ]);
  });

  test('is deleted after it was said what ends; the focus is where the next one is added', async () => {
    const remove = `DELETE ${domainsPath}/a-domain`;
    const api = apiOfDomains([pendingDomain]).on(remove, {});
    await open(path, api);
    await button('Delete acme.example').click();
    await expect.element(page.getByText(/^Nobody can join by acme\.example any more/)).toHaveFocus();
    expect(api.sentTo(remove)).toEqual([]);
    await button('Delete domain').click();
    await expect.element(field).toHaveFocus();
    await expect.element(heading(/acme\.example/)).not.toBeInTheDocument();
  });

  test('is seen by an admin, who changes nothing', async () => {
    await open(path, apiOfDomains([provenDomain, missingDomain, suspendedDomain], signedInAs('admin')));
    await expect.element(heading(/müller-dach\.example Proven/)).toBeVisible();
    await expect.element(field).not.toBeInTheDocument();
    await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument();
    expect(page.getByRole('button', { name: /^(Check|Delete)/ }).elements()).toEqual([]);
  });
});

describe('an organization that lets the reader join', () => {
  const acme = { id: 'acme', name: 'Acme', domain: 'xn--mller-dach-9db.example', twoFactorRequired: false };
  const home = (organizations: readonly object[] = [acme]) =>
    new FakeApi(signedIn([organization('Own')])).on('GET /api/auth/organization/joinable', { organizations });

  test('is offered at home, joined, and the active one then', async () => {
    const api = home()
      .on('POST /api/auth/organization/join', { organization: {} })
      .on('POST /api/auth/organization/switch', ({ body }) => {
        api.start = signedIn([organization('Acme'), organization('Own')]);
        api.on('GET /api/auth/organization/joinable', { organizations: [] });
        return body as object;
      });
    await open('/', api);
    await expect.element(page.getByText(/people with an address in müller-dach\.example/)).toBeVisible();
    await button('Join').click();
    await expect.element(button('Organization: Acme')).toBeVisible();
    await expect.element(button('Join')).not.toBeInTheDocument();
    expect(api.sentTo('POST /api/auth/organization/join')).toEqual([{ organizationId: 'acme' }]);
    expect(api.sentTo('POST /api/auth/organization/switch')).toEqual([{ organizationId: 'acme' }]);
  });

  test('is in the menu of organizations', async () => {
    await open('/', home());
    await button('Organization: Own').click();
    const entry = page.getByRole('menuitem', { name: 'Join Acme Open to addresses in müller-dach.example' });
    await expect.element(entry).toBeVisible();
  });

  test('asks first for the second factor that it requires', async () => {
    await open('/', home([{ ...acme, twoFactorRequired: true }]));
    await expect.element(page.getByText(/^It requires two-factor authentication/)).toBeVisible();
    await expect.element(button('Join')).not.toBeInTheDocument();
  });

  test('is not asked for where nobody may', async () => {
    await open('/', home([]));
    await expect.element(page.getByRole('heading', { name: 'Welcome, Ada Lovelace' })).toBeVisible();
    await expect.element(button('Join')).not.toBeInTheDocument();
  });
});
