import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { apiOfLeads, checkedFile, findings, hostileName, one } from './support/leads.ts';
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

async function lookAt(field = 'Or paste rows here', button = 'Use these rows'): Promise<void> {
  await page.getByLabelText(field).fill(`name,email\nÅsa,asa@example.com\n,${hostileName}`);
  await page.getByRole('button', { name: button }).click();
}
const after = (first: () => Promise<void>, then: () => Promise<void>) => async () => {
  await first();
  await then();
};
async function importAll(): Promise<void> {
  await lookAt();
  await page.getByRole('button', { name: /^Import \d/ }).click();
}
/** An API whose check is as ever, and whose import answers so. */
const importing = (reply: () => object) =>
  leadsApi()().on('POST /api/leads/import', ({ query }) =>
    query['mode'] === 'check' ? one(checkedFile) : reply(),
  );
const importReport = {
  ...checkedFile,
  importId: 'import-1',
  filled: 1,
  skipped: 0,
  leftOut: 1,
  verdicts: [],
};
const foundWithoutAddress = { ...findings, mapping: { ...findings.mapping, email: '' } };
const undone = { undone: 1199, kept: 1, keptLeads: [{ id: 'lead-1', name: hostileName }] };

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
    ...{ path: '/leads/import', state: 'looked at, unsure, with duplicates', api: leadsApi() },
    ...{ shows: 'What will be imported', act: lookAt },
  },
  {
    ...{ path: '/leads/import', state: 'looked at in Swedish', api: leadsApi(), shows: 'Vad som importeras' },
    ...{ language: 'sv' as const, act: () => lookAt('Eller klistra in rader här', 'Använd raderna') },
  },
  {
    ...{ path: '/leads/import', state: 'of no address', shows: 'Columns', act: lookAt },
    api: () => leadsApi()().on('POST /api/leads/import/read', one(foundWithoutAddress)),
  },
  {
    ...{ path: '/leads/import', state: 'refused', shows: 'Import leads', act: after(lookAt, alerted) },
    api: () => leadsApi()().on('POST /api/leads/import/read', new Refusal(400, 'VALIDATION_ERROR')),
  },
  {
    ...{ path: '/leads/import', state: 'running', shows: 'Importing', act: importAll },
    api: () => importing(never),
  },
  {
    ...{ path: '/leads/import', state: 'reported', shows: 'Importing' },
    api: () => importing(() => one(importReport)),
    act: after(importAll, async () => {
      await expect.element(page.getByText('1 row imported.')).toBeVisible();
    }),
  },
  {
    ...{ path: '/leads/import', state: 'asked whether to take it back', api: leadsApi() },
    ...{ shows: 'Past imports', act: press('Take this import back') },
  },
  {
    ...{ path: '/leads/import', state: 'taken back', shows: 'Past imports' },
    api: () => leadsApi()().on('POST /api/leads/imports/import-1/undo', one(undone)),
    act: async () => {
      await press('Take this import back')();
      await press('Take it back')();
      await expect.element(page.getByText('1,199 leads taken back').first()).toBeVisible();
    },
  },
];
