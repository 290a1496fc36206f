import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Refusal } from './support/fake-api.ts';
import { open } from './support/open.tsx';
import {
  account,
  accountsPath,
  apiKey,
  apiOfServiceAccounts,
  newKey,
  oldAccount,
  shownKey,
} from './support/service-accounts.ts';

const path = '/organization/keys';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const label = (name: string) => page.getByLabelText(name, { exact: true });
const heading = (name: RegExp) => page.getByRole('heading', { name, level: 2 });
const keysOf = (name: string) =>
  page
    .getByRole('table', { name: `Keys of ${name}` })
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });
const createKey = `POST ${accountsPath}/an-account/keys`;
const oneOf = (length: number) => Array.from({ length }, (_, n) => ({ ...apiKey, id: `key-${n}` }));
const proof = new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'PASSWORD_REQUIRED' });

describe('a service account', () => {
  test('shows who made it and its keys, and marks those that have ended or soon will', async () => {
    await open(path, apiOfServiceAccounts());
    await expect.element(page.getByText('Created on 20 November 2026 by Ada Lovelace')).toBeVisible();
    await expect.element(page.getByText('Created on 20 November 2026 by someone who has left')).toBeVisible();
    const [usual] = [keysOf('Nightly import')];
    await expect.element(usual).toHaveTextContent(/ends in x7Qf.*Everything that a member may/);
    await expect.element(usual).toHaveTextContent(/Expires in 90 days, on .*Last used 21 Nov 2026, 13:00/);
    await expect.element(usual).not.toHaveTextContent(/Expires soon|Expired/);
    const keys = keysOf('Book-keeping');
    await expect.element(keys.nth(0)).toHaveTextContent(/Expired.*Read quotes and customers.*Expired on/);
    await expect.element(keys.nth(1)).toHaveTextContent(/Expires soon.*Everything that an admin may/);
    await expect.element(keys.nth(1)).toHaveTextContent(/Expires in 12 days, on .*Never used/);
    await expect
      .element(keys.nth(2))
      .toHaveTextContent(/Read leads · Create, change and delete leads · stock:read/);
  });

  test('is created from an empty page, and has the focus then', async () => {
    const api = apiOfServiceAccounts([]).on(`POST ${accountsPath}`, {
      serviceAccount: { ...account, keys: [] },
    });
    await open(path, api);
    await expect.element(heading(/No program has access yet/)).toBeVisible();
    await button('New service account').click();
    await button('Create account').click();
    await expect.element(label('Name')).toHaveAccessibleDescription(/Fill this in/);
    await expect.element(label('Name')).toHaveFocus();
    await label('Name').fill('Nightly import');
    await userEvent.keyboard('{Enter}');
    await expect.element(heading(/Nightly import/)).toHaveFocus();
    await expect.element(page.getByText('Nightly import was created.', { exact: false })).toBeVisible();
    expect(api.sentTo(`POST ${accountsPath}`)).toEqual([{ name: 'Nightly import', role: 'member' }]);
  });

  test('gets only what was changed; its raising asks for a proof', async () => {
    const update = `PATCH ${accountsPath}/an-account`;
    const api = apiOfServiceAccounts([account]).on(update, ({ body }) =>
      (body as { password?: string }).password === undefined
        ? proof
        : { serviceAccount: { ...account, role: 'admin' } },
    );
    await open(path, api);
    await button('Manage Nightly import').click();
    await label('Role').selectOptions('Admin');
    await button('Save').click();
    await label('Password').fill('correct horse');
    await button('Confirm').click();
    await expect.element(heading(/Nightly import Admin/)).toHaveFocus();
    expect(api.sentTo(update)).toEqual([{ role: 'admin' }, { role: 'admin', password: 'correct horse' }]);
  });

  test('is deleted after it was said what stops working; the focus is where the next one is made', async () => {
    const remove = `DELETE ${accountsPath}/an-account`;
    const api = apiOfServiceAccounts([account]).on(remove, {});
    await open(path, api);
    await button('Manage Nightly import').click();
    await button('Delete account').click();
    await expect.element(page.getByText(/^Its key stops working at once/)).toBeVisible();
    expect(api.sentTo(remove)).toEqual([]);
    await button('Delete account').click();
    await expect.element(heading(/No program has access yet/)).toBeVisible();
    await expect.element(button('New service account')).toHaveFocus();
  });

  test('is refused in words where there are too many, and not offered where that is known', async () => {
    const create = `POST ${accountsPath}`;
    const full = new Refusal(409, 'QUOTA_EXCEEDED', { reason: 'SERVICE_ACCOUNTS' });
    const { leave } = await open(path, apiOfServiceAccounts().on(create, full));
    await button('New service account').click();
    await label('Name').fill('One more');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('alert')).toHaveTextContent(/has 20 service accounts/);
    await leave();
    const accounts = Array.from({ length: 20 }, (_, n) => ({ ...account, id: `account-${n}` }));
    await open(path, apiOfServiceAccounts(accounts));
    await expect.element(page.getByText(/has 20 service accounts/)).toBeVisible();
    await expect.element(button('New service account')).not.toBeInTheDocument();
  });
});

describe('a key', () => {
  test('is shown once, with a command that uses it; closing before it is copied asks once', async () => {
    const api = apiOfServiceAccounts([account]).on(createKey, { key: shownKey, apiKey: newKey });
    await open(path, api);
    await button('New key for Nightly import').click();
    const lists = api.sentTo(`GET ${accountsPath}`).length;
    await label('Name').fill('Website');
    await userEvent.keyboard('{Enter}');
    await expect.element(label('Key')).toHaveValue(shownKey);
    await expect
      .element(label('Try it in a terminal'))
      .toHaveValue(`curl "https://app.example.com/api/leads" -H "Authorization: Bearer ${shownKey}"`);
    await expect.element(button('Copy key')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('alert')).toHaveTextContent(/not copied the key/);
    await expect.element(button('Keep it open')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(button('Copy key')).toHaveFocus();
    await button('Done').click();
    await button('Close without copying').click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(heading(/Nightly import/)).toHaveFocus();
    await expect.element(keysOf('Nightly import').nth(1)).toHaveTextContent('Website');
    expect(document.documentElement.innerHTML).not.toContain(shownKey);
    await button('New key for Nightly import').click();
    await expect.element(label('Name')).toHaveValue('');
    expect(api.sentTo(`GET ${accountsPath}`)).toHaveLength(lists);
  });

  test('that was copied is closed without a question', async () => {
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await open(path, apiOfServiceAccounts([account]).on(createKey, { key: shownKey, apiKey: newKey }));
    await button('New key for Nightly import').click();
    await label('Name').fill('Website');
    await userEvent.keyboard('{Enter}');
    await button('Copy key').click();
    await expect.element(button('Copied')).toBeVisible();
    expect(write.mock.calls).toEqual([[shownKey]]);
    await button('Done').click();
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  test('has the chosen permissions, of those that its role has and a key can use', async () => {
    const api = apiOfServiceAccounts([account]).on(createKey, {
      key: shownKey,
      apiKey: { ...newKey, permissions: ['quotes:read'] },
    });
    await open(path, api);
    await button('New key for Nightly import').click();
    await label('Name').fill('Website');
    await label('Only what you choose').click();
    await expect.element(label('Read quotes and customers')).toBeVisible();
    const offered = page
      .getByRole('checkbox')
      .elements()
      .map((box) => box.closest('label')?.textContent);
    expect(offered).toEqual([
      ...['Read leads', 'Create, change and delete leads', 'Read quotes and customers'],
      ...['Create, change and send quotes', 'Read people'],
    ]);
    await button('Create key').click();
    await expect.element(page.getByText('Choose at least one.')).toBeVisible();
    await expect.element(label('Only what you choose')).toHaveFocus();
    expect(api.sentTo(createKey)).toEqual([]);
    await label('Read quotes and customers').click();
    await button('Create key').click();
    await expect
      .element(label('Try it in a terminal'))
      .toHaveValue(
        `curl "https://app.example.com/api/quotation/quotes" -H "Authorization: Bearer ${shownKey}"`,
      );
    expect(api.sentTo(createKey)).toEqual([expect.objectContaining({ permissions: ['quotes:read'] })]);
  });

  test('ends after as long as was chosen, or with a day', async () => {
    const api = apiOfServiceAccounts([account]).on(createKey, new Refusal(503, 'UPSTREAM_UNAVAILABLE'));
    const dayMs = 86_400_000;
    const day = (ahead: number) => new Date(Date.now() + ahead * dayMs).toISOString().slice(0, 10);
    await open(path, api);
    await button('New key for Nightly import').click();
    await label('Name').fill('Website');
    await label('Works for').selectOptions('30 days');
    const thirty = `${day(30)}T23:59:59.999Z`;
    await button('Create key').click();
    await expect.element(page.getByRole('alert')).toBeVisible();
    await label('Works for').selectOptions('Until a day of your choice');
    await label('Last day').fill(day(-1));
    await button('Create key').click();
    await expect.element(page.getByText('Choose a day from today to a year ahead.')).toBeVisible();
    await expect.element(label('Last day')).toHaveFocus();
    await label('Last day').fill(day(3));
    await button('Create key').click();
    await expect
      .poll(() =>
        api
          .sentTo(createKey)
          .map((body) => (body as { expiresAt: string }).expiresAt)
          .at(-1),
      )
      .toBe(`${day(3)}T23:59:59.999Z`);
    expect(api.sentTo(createKey)[0]).toEqual({ name: 'Website', expiresAt: thirty });
  });

  test('is deleted after it was said what stops working, and the focus stays with its account', async () => {
    const remove = `DELETE ${accountsPath}/an-account/keys/a-key`;
    const api = apiOfServiceAccounts([account]).on(remove, {});
    await open(path, api);
    await button('Delete the key Server in Uppsala').click();
    await expect.element(page.getByText(/last used 21 Nov 2026, 13:00. The program/)).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(button('Delete the key Server in Uppsala')).toHaveFocus();
    expect(api.sentTo(remove)).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await button('Delete key').click();
    await expect.element(page.getByText('No keys: no program can use this account yet.')).toBeVisible();
    await expect.element(heading(/Nightly import/)).toHaveFocus();
  });

  test('is one of five at most', async () => {
    await open(path, apiOfServiceAccounts([{ ...account, keys: oneOf(5) }, oldAccount]));
    await expect.element(page.getByText(/This service account has five keys/)).toBeVisible();
    await expect.element(button('New key for Nightly import')).not.toBeInTheDocument();
    await expect.element(button('New key for Book-keeping')).toBeVisible();
  });
});
