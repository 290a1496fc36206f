import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { apiOfExports, exportsOf, fetchedByLinks } from './support/exports.ts';
import { Refusal } from './support/fake-api.ts';
import type { Row } from './support/row.ts';
import { signedInAs, signedOut } from './support/starts.ts';

const path = '/organization/export';
const press = (name: string) => () => page.getByRole('button', { name }).click();

/** `/organization/export`, by role and state. */
export const exportRows: readonly Row[] = [
  { path, state: 'signed out', api: () => apiOfExports(signedOut), shows: 'Sign in' },
  { path, state: 'member', api: () => apiOfExports(signedInAs('member')), shows: 'You have no access' },
  { path, state: 'admin', api: () => apiOfExports(signedInAs('admin')), shows: 'You have no access' },
  { path, state: 'owner', api: apiOfExports, shows: 'Export the organization' },
  {
    ...{ path, state: 'owner, the PDFs of a year, in Swedish', language: 'sv' },
    ...{ api: apiOfExports, shows: 'Exportera organisationen' },
    act: () => page.getByLabelText('PDF-filer av skickade offerter').selectOptions('year'),
  },
  {
    ...{ path, state: 'begun', api: apiOfExports, shows: 'Export the organization' },
    act: async () => {
      fetchedByLinks();
      await press('Export: People')();
      await expect.element(page.getByText(/^Your browser is fetching users-service.zip/)).toBeVisible();
    },
  },
  {
    ...{ path, state: 'refused', shows: 'Export the organization' },
    api: () =>
      apiOfExports()
        .on(exportsOf.leads, new Refusal(429, 'RATE_LIMITED'))
        .on(exportsOf.quotes, new Refusal(503, 'UPSTREAM_UNAVAILABLE')),
    act: async () => {
      await press('Export: Leads')();
      await press('Export: Quotes and customers')();
      await expect.element(page.getByText(/twice an hour, and an organization/)).toBeVisible();
      await expect.element(page.getByText(/^A service is away/)).toBeVisible();
    },
  },
];
