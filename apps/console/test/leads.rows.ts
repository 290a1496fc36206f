import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { apiOfLeads, hostileName } from './support/leads.ts';
import type { Row } from './support/row.ts';
import { signedOut } from './support/starts.ts';

const as = (start: typeof signedOut) => () => new FakeApi(start);
const press = (name: string) => () => page.getByRole('button', { name }).click();
const never = () => new Promise<never>(() => undefined);
const listLeads = 'GET /api/leads';
const leadsApi = (options?: { readonly rows: readonly object[] }) => () => apiOfLeads(options);
const alerted = async () => {
  await expect.element(page.getByRole('alert').first()).toBeVisible();
};

/** The pages of leads, for everyone and in every state. */
export const leadRows: readonly Row[] = [
  { path: '/leads', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/leads', state: 'member', api: leadsApi(), shows: 'Leads' },
  { path: '/leads', state: 'in Swedish', api: leadsApi(), shows: 'Leads', language: 'sv' },
  { path: '/leads', state: 'empty', api: leadsApi({ rows: [] }), shows: 'No leads yet' },
  {
    path: '/leads?search=zzz',
    state: 'nothing found',
    api: leadsApi({ rows: [] }),
    shows: 'No lead matches',
  },
  {
    path: '/leads?deleted=true',
    state: 'nothing deleted',
    api: leadsApi({ rows: [] }),
    shows: 'Nothing was deleted',
  },
  { path: '/leads', state: 'loading', api: () => leadsApi()().on(listLeads, never), shows: 'Leads' },
  {
    ...{ path: '/leads', state: 'forbidden by the service', shows: 'Leads' },
    api: () => leadsApi()().on(listLeads, new Refusal(403, 'FORBIDDEN')),
    act: alerted,
  },
  {
    ...{ path: '/leads', state: 'limited', shows: 'Leads' },
    api: () => leadsApi()().on(listLeads, new Refusal(429, 'RATE_LIMITED')),
    act: alerted,
  },
  { path: '/leads/lead-1', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/leads/lead-1', state: 'open', api: leadsApi(), shows: hostileName },
  { path: '/leads/lead-1', state: 'open in Swedish', api: leadsApi(), shows: 'Historik', language: 'sv' },
  {
    ...{ path: '/leads/lead-1', state: 'gone', shows: 'This lead does not exist or was deleted.' },
    api: () => leadsApi()().on('GET /api/leads/lead-1', new Refusal(404, 'NOT_FOUND')),
  },
  {
    ...{ path: '/leads/lead-1', state: 'edited', api: leadsApi(), shows: hostileName },
    act: press('Change: Notes'),
  },
  {
    ...{ path: '/leads/lead-1', state: 'changed by two', shows: hostileName },
    api: () => leadsApi()().on('PATCH /api/leads/lead-1', new Refusal(412, 'PRECONDITION_FAILED')),
    act: async () => {
      await press('Change: Phone')();
      await page.getByLabelText('Phone', { exact: true }).fill('+46 8 123');
      await page.getByRole('button', { name: 'Save' }).click();
      await expect.element(page.getByText('Someone else has changed this lead')).toBeVisible();
    },
  },
  { path: '/leads/new', state: 'new', api: leadsApi(), shows: 'New lead' },
  { path: '/leads/board', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/leads/board', state: 'member', api: leadsApi(), shows: 'Leads' },
  { path: '/leads/board', state: 'in Swedish', api: leadsApi(), shows: 'Leads', language: 'sv' },
  {
    ...{ path: '/leads/board', state: 'a card is held', api: leadsApi(), shows: 'Leads' },
    act: async () => {
      const handle = page.getByRole('button', { name: /^Move / }).first();
      await expect.element(handle).toBeVisible();
      (handle.element() as HTMLElement).focus();
      await userEvent.keyboard(' ');
    },
  },
  { path: '/leads/import', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/leads/import', state: 'member', api: leadsApi(), shows: 'Import leads' },
  { path: '/leads/import', state: 'in Swedish', api: leadsApi(), shows: 'Importera leads', language: 'sv' },
  {
    ...{ path: '/leads/import', state: 'looked at', api: leadsApi(), shows: 'What will be imported' },
    act: async () => {
      await page
        .getByLabelText('Or paste rows here')
        .fill(`name,email\nÅsa,asa@example.com\n,${hostileName}`);
      await page.getByRole('button', { name: 'Use these rows' }).click();
    },
  },
];
