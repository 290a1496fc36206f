import { expect } from 'vitest';
import { page } from 'vitest/browser';
import {
  apiOfConnections,
  arrivalsPath,
  complete,
  directoryWith,
  draft,
  requirementOf,
  requirementPath,
  samlDraft,
  scimToken,
  tokensPath,
} from './support/connections.ts';
import { apiOfDomains, domainsPath, pendingDomain } from './support/domains.ts';
import { Refusal } from './support/fake-api.ts';
import type { Row } from './support/row.ts';
import { signedInAs, signedOut } from './support/starts.ts';

const path = '/organization/access';
const never = () => new Promise<never>(() => undefined);
const press = (name: string) => () => page.getByRole('button', { name }).click();

const strict = { requirement: { ...requirementOf([]), required: true, connectionId: 'a-connection' } };
const arrived = {
  arrivals: [
    {
      kind: 'sign-in',
      code: 'DOMAIN_NOT_VERIFIED',
      address: 'eve@elsewhere.example',
      at: '2026-11-20T12:05:00Z',
    },
    { kind: 'directory', code: 'USER_CREATED', address: 'ada@acme.example', at: '2026-11-20T12:00:00Z' },
  ],
};

/** `/organization/access`, by role and state. */
export const domainRows: readonly Row[] = [
  { path, state: 'signed out', api: () => apiOfDomains([], signedOut), shows: 'Sign in' },
  {
    ...{ path, state: 'member', shows: 'You have no access' },
    api: () => apiOfDomains([], signedInAs('member')),
  },
  {
    path,
    state: 'admin',
    api: () => apiOfDomains(undefined, signedInAs('admin')),
    shows: 'Domains and single sign-on',
  },
  { path, state: 'owner', api: () => apiOfDomains(), shows: 'Domains and single sign-on' },
  {
    path,
    state: 'owner, in Swedish',
    api: () => apiOfDomains(),
    shows: 'Domäner och enkel inloggning',
    language: 'sv',
  },
  {
    ...{ path, state: 'SAML, one by one', shows: 'Domains and single sign-on' },
    api: () => apiOfConnections([samlDraft]),
    act: async () => {
      await page.getByRole('radio', { name: 'One by one' }).click();
      await press('Add another certificate')();
      await expect.element(page.getByLabelText('Signing certificate 2')).toBeVisible();
    },
  },
  { path, state: 'empty', api: () => apiOfDomains([]), shows: 'Domains and single sign-on' },
  {
    ...{ path, state: 'empty, admin', shows: 'Domains and single sign-on' },
    api: () => apiOfDomains([], signedInAs('admin')),
  },
  {
    ...{ path, state: 'loading', shows: 'Domains and single sign-on' },
    api: () => apiOfDomains().on(`GET ${domainsPath}`, never),
  },
  {
    ...{ path, state: 'failed', shows: 'Domains and single sign-on' },
    api: () => apiOfDomains().on(`GET ${domainsPath}`, new Refusal(403, 'FORBIDDEN')),
    act: async () => {
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    ...{ path, state: 'as many as there may be', shows: 'Domains and single sign-on' },
    api: () => apiOfDomains(Array.from({ length: 20 }, (_, n) => ({ ...pendingDomain, id: `domain-${n}` }))),
    act: async () => {
      await expect.element(page.getByText(/^Your organization has 20 domains/)).toBeVisible();
    },
  },
  {
    ...{ path, state: 'a record that is not there', shows: 'Domains and single sign-on' },
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
    ...{ path, state: 'deleting one', shows: 'Domains and single sign-on' },
    api: () => apiOfDomains([pendingDomain]),
    act: press('Delete acme.example'),
  },
  {
    ...{ path, state: 'without single sign-on', shows: 'Single sign-on' },
    api: () => apiOfConnections([]),
  },
  {
    ...{ path, state: 'single sign-on that was begun', shows: 'Domains and single sign-on' },
    api: () => apiOfConnections([draft]),
  },
  {
    ...{ path, state: 'single sign-on that is on, in Swedish', language: 'sv' },
    shows: 'Domäner och enkel inloggning',
    api: () => apiOfConnections([{ ...complete, enabled: true, people: 3 }]),
    act: press('Slå av'),
  },
  {
    ...{ path, state: 'a directory with a token', shows: 'Domains and single sign-on' },
    api: () => apiOfConnections([draft], directoryWith(scimToken)),
    act: press('Delete …x7Qf'),
  },
  {
    ...{ path, state: 'a directory with a new token, in Swedish', language: 'sv' },
    shows: 'Domäner och enkel inloggning',
    api: () =>
      apiOfConnections([draft], directoryWith(scimToken)).on(`POST ${tokensPath}`, {
        token: `tsc_${'x'.repeat(86)}`,
        scimToken: { ...scimToken, id: 'another', ending: 'xxxx', lastUsedAt: null },
      }),
    act: async () => {
      await press('Ny token')();
      await expect.element(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    ...{ path, state: 'single sign-on that is required, with what arrived' },
    shows: 'Domains and single sign-on',
    api: () =>
      apiOfConnections([{ ...complete, enabled: true, people: 3 }])
        .on(`GET ${requirementPath}`, strict)
        .on(`GET ${arrivalsPath}`, arrived),
    act: async () => {
      await expect.element(page.getByText(/^The address is in none of your verified domains/)).toBeVisible();
    },
  },
];
