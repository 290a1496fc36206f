import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { Refusal } from './support/fake-api.ts';
import { acme, apiOfOrganization, organizationPath, peopleUsage, usage } from './support/organization.ts';
import type { Row } from './support/row.ts';
import { signedInAs, signedOut } from './support/starts.ts';

const path = '/organization';
const never = () => new Promise<never>(() => undefined);
const as = (role: Parameters<typeof signedInAs>[0]) => () => apiOfOrganization(signedInAs(role));
const strict = { ...acme.settings, requireTwoFactor: true, address: null, vatNumber: null };

/** `/organization`, by role and state. */
export const organizationRows: readonly Row[] = [
  { path, state: 'signed out', api: () => apiOfOrganization(signedOut), shows: 'Sign in' },
  { path, state: 'member', api: as('member'), shows: 'Organization' },
  { path, state: 'owner', api: as('owner'), shows: 'Company' },
  ...['quotes', 'leads', 'security', 'data', 'danger'].map((part) => ({
    ...{ path: `${path}/${part}`, state: 'signed out', api: () => apiOfOrganization(signedOut) },
    shows: 'Sign in',
  })),
  { path: `${path}/quotes`, state: 'owner', api: as('owner'), shows: 'Quotes' },
  { path: `${path}/leads`, state: 'owner', api: as('owner'), shows: 'Leads' },
  { path: `${path}/security`, state: 'owner', api: as('owner'), shows: 'Programs' },
  { path: `${path}/data`, state: 'member', api: as('member'), shows: 'Storage' },
  { path: `${path}/danger`, state: 'owner', api: as('owner'), shows: 'Delete organization' },
  {
    ...{
      path: `${path}/security`,
      state: 'that requires two-factor authentication, in Swedish',
      shows: 'Tvåstegsverifiering',
      language: 'sv',
    },
    api: () => apiOfOrganization(signedInAs('admin'), { settings: strict }),
    act: () => page.getByRole('button', { name: 'Sluta kräva den' }).click(),
  },
  {
    ...{ path, state: 'loading', shows: 'Organization' },
    api: () => as('admin')().on(`GET ${organizationPath}`, never),
  },
  {
    ...{ path, state: 'failed', shows: 'Organization' },
    api: () => as('admin')().on(`GET ${organizationPath}`, new Refusal(403, 'FORBIDDEN')),
    act: async () => {
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    ...{ path, state: 'left while something is not saved', shows: 'You have unsaved changes' },
    api: as('admin'),
    act: async () => {
      await page.getByLabelText('City').fill('Göteborg');
      await page.getByRole('link', { name: 'Tenantry' }).click();
    },
  },
  {
    ...{ path: `${path}/data`, state: 'near the small quota of an unconfirmed owner', shows: 'Storage' },
    api: () => as('owner')().on('GET /api/leads/usage', usage(0.95, false)),
    act: async () => {
      await expect.element(page.getByText(/^Nearly full/)).toBeVisible();
    },
  },
  {
    ...{ path: `${path}/data`, state: 'at its quota, in Swedish', shows: 'Lagring', language: 'sv' },
    api: () => as('member')().on('GET /api/quotation/usage', usage(1.02)),
    act: async () => {
      await expect.element(page.getByText(/^Fullt/)).toBeVisible();
    },
  },
  {
    ...{
      path: `${path}/data`,
      state: 'with as many people as it may have, in Swedish',
      shows: 'Lagring',
      language: 'sv',
    },
    api: () => as('member')().on(`GET ${organizationPath}/usage`, peopleUsage(1)),
    act: async () => {
      await expect.element(page.getByText(/^Fullt.*dra tillbaka inbjudningar/)).toBeVisible();
    },
  },
];
