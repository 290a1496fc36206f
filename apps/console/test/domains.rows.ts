import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { apiOfDomains, domainsPath, pendingDomain } from './support/domains.ts';
import { Refusal } from './support/fake-api.ts';
import type { Row } from './support/row.ts';
import { signedInAs, signedOut } from './support/starts.ts';

const path = '/organization/access';
const never = () => new Promise<never>(() => undefined);
const press = (name: string) => () => page.getByRole('button', { name }).click();

/** `/organization/access`, by role and state. */
export const domainRows: readonly Row[] = [
  { path, state: 'signed out', api: () => apiOfDomains([], signedOut), shows: 'Sign in' },
  {
    ...{ path, state: 'member', shows: 'You have no access' },
    api: () => apiOfDomains([], signedInAs('member')),
  },
  { path, state: 'admin', api: () => apiOfDomains(undefined, signedInAs('admin')), shows: 'Domains' },
  { path, state: 'owner', api: () => apiOfDomains(), shows: 'Domains' },
  { path, state: 'owner, in Swedish', api: () => apiOfDomains(), shows: 'Domäner', language: 'sv' },
  { path, state: 'empty', api: () => apiOfDomains([]), shows: 'Domains' },
  {
    ...{ path, state: 'empty, admin', shows: 'Domains' },
    api: () => apiOfDomains([], signedInAs('admin')),
  },
  {
    ...{ path, state: 'loading', shows: 'Domains' },
    api: () => apiOfDomains().on(`GET ${domainsPath}`, never),
  },
  {
    ...{ path, state: 'failed', shows: 'Domains' },
    api: () => apiOfDomains().on(`GET ${domainsPath}`, new Refusal(403, 'FORBIDDEN')),
    act: async () => {
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    ...{ path, state: 'as many as there may be', shows: 'Domains' },
    api: () => apiOfDomains(Array.from({ length: 20 }, (_, n) => ({ ...pendingDomain, id: `domain-${n}` }))),
    act: async () => {
      await expect.element(page.getByText(/^Your organization has 20 domains/)).toBeVisible();
    },
  },
  {
    ...{ path, state: 'a record that is not there', shows: 'Domains' },
    api: () =>
      apiOfDomains([pendingDomain]).on(
        `POST ${domainsPath}/a-domain/verify`,
        new Refusal(409, 'DOMAIN_NOT_VERIFIED', { reason: 'RECORD_MISSING' }),
      ),
    act: async () => {
      await press('Check now: acme.example')();
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    ...{ path, state: 'deleting one', shows: 'Domains' },
    api: () => apiOfDomains([pendingDomain]),
    act: press('Delete acme.example'),
  },
];
