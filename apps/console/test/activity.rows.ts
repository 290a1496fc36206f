import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { apiOfActivity, contacted, ofOrganization, trailsOfAcme } from './support/activity.ts';
import { Refusal } from './support/fake-api.ts';
import { listed } from './support/people.ts';
import type { Row } from './support/row.ts';
import { signedInAs, signedOut } from './support/starts.ts';

const path = '/activity';
const never = () => new Promise<never>(() => undefined);
const as = (role: Parameters<typeof signedInAs>[0]) => () => apiOfActivity(signedInAs(role));
const empty = () =>
  as('owner')()
    .on(trailsOfAcme.organization, ofOrganization([]))
    .on(trailsOfAcme.leads, listed([]))
    .on(trailsOfAcme.quotes, listed([]));

/** `/activity`, by role and state. */
export const activityRows: readonly Row[] = [
  { path, state: 'signed out', api: () => apiOfActivity(signedOut), shows: 'Sign in' },
  { path, state: 'member', api: as('member'), shows: 'You have no access' },
  { path, state: 'admin', api: as('admin'), shows: '24 November 2026' },
  { path, state: 'in Swedish', api: as('owner'), shows: '24 november 2026', language: 'sv' },
  {
    ...{ path, state: 'with what changed', shows: '24 November 2026' },
    api: () => as('owner')().on(trailsOfAcme.leads, listed([contacted])),
  },
  {
    ...{ path, state: 'with what changed, in Swedish', shows: '24 november 2026', language: 'sv' },
    api: () => as('owner')().on(trailsOfAcme.leads, listed([contacted])),
  },
  { path, state: 'empty', api: empty, shows: 'Nothing has happened yet' },
  {
    ...{
      path: '/activity?kind=quotes&from=2026-11-01',
      state: 'nothing found',
      api: empty,
      shows: 'Activity',
    },
    act: async () => {
      await expect.element(page.getByText('No activity matches these filters.')).toBeVisible();
    },
  },
  { path, state: 'loading', api: () => as('admin')().on(trailsOfAcme.leads, never), shows: 'Activity' },
  {
    ...{ path, state: 'failed', shows: 'Activity' },
    api: () => as('admin')().on(trailsOfAcme.leads, new Refusal(403, 'FORBIDDEN')),
    act: async () => {
      await expect.element(page.getByRole('alert').first()).toBeVisible();
    },
  },
];
