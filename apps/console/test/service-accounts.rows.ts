import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { Refusal } from './support/fake-api.ts';
import type { Row } from './support/row.ts';
import {
  account,
  accountsPath,
  apiKey,
  apiOfServiceAccounts,
  newKey,
  oldAccount,
  shownKey,
} from './support/service-accounts.ts';
import { signedInAs, signedOut } from './support/starts.ts';

const path = '/organization/keys';
const never = () => new Promise<never>(() => undefined);
const press = (name: string) => () => page.getByRole('button', { name }).click();
const many = <Thing extends { readonly id: string }>(thing: Thing, count: number): Thing[] =>
  Array.from({ length: count }, (_, n) => ({ ...thing, id: `${thing.id}-${n}` }));

/** `/organization/keys`, by role and state. */
export const serviceAccountRows: readonly Row[] = [
  { path, state: 'signed out', api: () => apiOfServiceAccounts([], signedOut), shows: 'Sign in' },
  {
    ...{ path, state: 'member', shows: 'You have no access' },
    api: () => apiOfServiceAccounts([], signedInAs('member')),
  },
  { path, state: 'admin', api: () => apiOfServiceAccounts(), shows: 'Service accounts and keys' },
  {
    ...{ path, state: 'owner, in Swedish', shows: 'Tjänstekonton och nycklar', language: 'sv' },
    api: () => apiOfServiceAccounts([account, oldAccount], signedInAs('owner')),
  },
  { path, state: 'empty', api: () => apiOfServiceAccounts([]), shows: 'No program has access yet' },
  {
    ...{ path, state: 'without a key', shows: 'Service accounts and keys' },
    api: () => apiOfServiceAccounts([{ ...account, keys: [] }]),
  },
  {
    ...{ path, state: 'loading', shows: 'Service accounts and keys' },
    api: () => apiOfServiceAccounts().on(`GET ${accountsPath}`, never),
  },
  {
    ...{ path, state: 'failed', shows: 'Service accounts and keys' },
    api: () => apiOfServiceAccounts().on(`GET ${accountsPath}`, new Refusal(403, 'FORBIDDEN')),
    act: async () => {
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    ...{ path, state: 'as many as there may be, in Swedish', language: 'sv' },
    shows: 'Tjänstekonton och nycklar',
    api: () => apiOfServiceAccounts(many({ ...account, keys: many(apiKey, 5) }, 20)),
    act: async () => {
      await expect.element(page.getByText(/^Organisationen har 20 tjänstekonton/)).toBeVisible();
      await expect.element(page.getByText(/^Tjänstekontot har fem nycklar/).first()).toBeVisible();
    },
  },
  {
    ...{ path, state: 'creating an account', shows: 'New service account' },
    api: () => apiOfServiceAccounts([account]),
    act: press('New service account'),
  },
  {
    ...{ path, state: 'managing one with a key', shows: 'Nightly import' },
    api: () => apiOfServiceAccounts(),
    act: async () => {
      await press('Manage Nightly import')();
      await press('Delete account')();
    },
  },
  {
    ...{ path, state: 'deleting a key', shows: 'Delete the key Server in Uppsala?' },
    api: () => apiOfServiceAccounts(),
    act: press('Delete the key Server in Uppsala'),
  },
  {
    ...{ path, state: 'choosing what a key may do', shows: 'New key for Book-keeping' },
    api: () => apiOfServiceAccounts(),
    act: async () => {
      await press('New key for Book-keeping')();
      await page.getByLabelText('Works for').selectOptions('own');
      await page.getByLabelText('Only what you choose').click();
      await press('Create key')();
      await expect.element(page.getByText('Choose at least one.')).toBeVisible();
    },
  },
  {
    ...{ path, state: 'closing a new key before it is copied', shows: 'Your new key' },
    api: () =>
      apiOfServiceAccounts().on(`POST ${accountsPath}/an-account/keys`, { key: shownKey, apiKey: newKey }),
    act: async () => {
      await press('New key for Nightly import')();
      await page.getByLabelText('Name').fill('Server in Uppsala');
      await press('Create key')();
      await press('Done')();
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
];
