import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { Refusal } from './support/fake-api.ts';
import { ada, apiOfPeople, grace, invitations } from './support/people.ts';
import type { Row } from './support/row.ts';
import { signedInAs, signedOut } from './support/starts.ts';

const path = '/people';
const never = () => new Promise<never>(() => undefined);
const press = (name: string) => () => page.getByRole('button', { name }).click();
const as = (role: Parameters<typeof signedInAs>[0]) => () => apiOfPeople(signedInAs(role));
const failing = new Refusal(503, 'UPSTREAM_UNAVAILABLE');

/** `/people`, by role and state. */
export const peopleRows: readonly Row[] = [
  { path, state: 'signed out', api: () => apiOfPeople(signedOut), shows: 'Sign in' },
  { path, state: 'member', api: as('member'), shows: 'People' },
  { path, state: 'owner', api: as('owner'), shows: 'Open invitations' },
  { path, state: 'in Swedish', api: as('owner'), shows: 'Öppna inbjudningar', language: 'sv' },
  {
    ...{ path, state: 'alone', shows: 'You are the only member' },
    api: () => apiOfPeople(signedInAs('admin'), { people: [ada], invited: [] }),
  },
  {
    ...{ path: '/people?search=nobody', state: 'nothing found', shows: 'People' },
    api: () => apiOfPeople(signedInAs('admin'), { people: [], invited: [] }),
    act: async () => {
      await expect.element(page.getByRole('button', { name: 'Show everyone' })).toBeVisible();
    },
  },
  {
    ...{ path, state: 'loading', shows: 'People' },
    api: () => as('admin')().on('GET /api/users', never).on(`GET ${invitations}`, never),
  },
  {
    ...{ path, state: 'failed', shows: 'People' },
    api: () => as('admin')().on('GET /api/users', failing).on(`GET ${invitations}`, failing),
    // What may be worth repeating is repeated first.
    act: async () => {
      await expect.element(page.getByRole('alert').first()).toBeVisible();
    },
  },
  { path, state: 'inviting', api: as('admin'), shows: 'Invite people', act: press('Invite people') },
  {
    ...{ path, state: 'creating an account', api: as('admin'), shows: 'Create an account' },
    act: press('Create account'),
  },
  {
    ...{ path, state: 'managing another', api: as('owner'), shows: 'Grace Hopper' },
    act: press('Manage Grace Hopper'),
  },
  {
    ...{ path, state: 'managing one who is disabled', shows: 'Grace Hopper' },
    api: () => apiOfPeople(signedInAs('owner'), { people: [ada, { ...grace, disabled: true }] }),
    act: press('Manage Grace Hopper'),
  },
  {
    ...{ path, state: 'leaving', api: as('member'), shows: 'Ada Lovelace' },
    act: async () => {
      await press('Manage Ada Lovelace')();
      await press('Leave organization')();
    },
  },
];
