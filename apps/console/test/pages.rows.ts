import type { api } from '@tenantry/client';
import { expect } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { activityRows } from './activity.rows.ts';
import { exportRows } from './export.rows.ts';
import { organizationRows } from './organization.rows.ts';
import { leadRows } from './leads.rows.ts';
import { peopleRows } from './people.rows.ts';
import { quoteRows } from './quotes.rows.ts';
import { domainRows } from './domains.rows.ts';
import { serviceAccountRows } from './service-accounts.rows.ts';
import { FakeApi, Refusal } from './support/fake-api.ts';
import type { Row } from './support/row.ts';
import { atWork, newcomer } from './support/work.ts';
import { atOrganizations, mailing, offering, organization, signedIn, signedOut } from './support/starts.ts';

const acme = organization('Acme');
const owner = signedIn([acme, organization('Globex Corporation', { role: 'member' })]);
const as = (start: api.Start) => () => new FakeApi(start);

const session = {
  ...{ id: 'other', current: false, device: 'Firefox', browser: 'Firefox', system: 'Linux' },
  ...{ ipAddress: '192.0.2.1', createdAt: '2026-11-20T12:00:00Z', lastActiveAt: '2026-11-20T12:00:00Z' },
};
const event = {
  ...{ id: 'an-event', action: 'session.started', actor: null, target: null, details: {} },
  ...{ device: 'Mozilla/5.0', browser: 'Firefox 140', system: 'Linux' },
  ...{ ipAddress: '192.0.2.1', createdAt: '2026-11-20T12:00:00Z' },
};
const used = { createdAt: '2026-11-20T12:00:00Z', lastUsedAt: null };
const ways = {
  ...{ password: true, mailed: true },
  passkeys: [{ id: 'a-passkey', name: 'Phone', backedUp: true, ...used }],
  identities: [{ id: 'an-identity', provider: 'google', email: 'ada@example.com', ...used }],
};
const sessions = 'GET /api/auth/sessions';
const activity = 'GET /api/auth/audit';
const account =
  (start = owner) =>
  () =>
    new FakeApi(start)
      .on(sessions, { sessions: [session, { ...session, id: 'this', current: true }] })
      .on('GET /api/auth/ways-in', ways)
      .on(activity, { events: [event], total: 11, page: 1, pageSize: 10 });

const invitation = {
  ...{ organizationName: 'Globex Corporation', inviterName: 'Grace Hopper', role: 'admin' },
  ...{ email: 'grace@example.com', expiresAt: '2026-11-30T12:00:00Z' },
};
const link = '/accept-invitation#token=a-token';
const invited =
  (start: api.Start, offer: object = invitation) =>
  () =>
    new FakeApi(start).on('GET /api/auth/invitations/a-token', { invitation: offer });
const press = (name: string) => () => page.getByRole('button', { name }).click();
const never = () => new Promise<never>(() => undefined);
const refusedOrganization = { organizationId: acme.id, reason: 'TWO_FACTOR_REQUIRED' as const };
const withTwoFactor = {
  ...owner,
  twoFactor: { enabled: true, methods: ['totp' as const], backupCodesLeft: 0 },
};
const closed = { ...signedOut, signIn: { ...signedOut.signIn, signUp: 'invited' as const } };

async function enter(label: string, text: string): Promise<void> {
  await page.getByLabelText(label).fill(text);
  await userEvent.keyboard('{Enter}');
}

/** Every page, for everyone who opens it and in every state. */
export const pageRows: readonly Row[] = [
  { path: '/sign-in', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/sign-in', state: 'in Swedish', api: as(signedOut), shows: 'Logga in', language: 'sv' },
  { path: '/sign-in', state: 'signed in', api: as(owner), shows: 'Welcome, Ada Lovelace' },
  {
    ...{ path: '/sign-in', state: 'limited', shows: 'Sign in' },
    api: () => new FakeApi(signedOut).on('POST /api/auth/sign-in/email', new Refusal(429, 'RATE_LIMITED')),
    act: async () => {
      await enter('Password', 'correct horse');
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    ...{ path: '/sign-in?organization=acme', state: 'at an organization', shows: 'Sign in' },
    api: () => new FakeApi(signedOut).on('POST /api/auth/sign-in/sso', never),
  },
  { path: '/sign-in', state: 'that asks for the address first', api: as(atOrganizations), shows: 'Sign in' },
  {
    ...{ path: '/sign-in', state: 'with an address of an organization', shows: 'Sign in' },
    api: () =>
      new FakeApi(atOrganizations).on('POST /api/auth/sign-in/sso', {
        ...{ url: 'https://idp.example.com/', expiresAt: '2026-11-30T12:00:00Z' },
      }),
    act: async () => {
      await enter('E-mail address', 'ada@acme.example');
      await expect.element(page.getByRole('button', { name: 'Use another address' })).toBeVisible();
    },
  },
  { path: '/sign-in', state: 'with mailed codes', api: as(mailing), shows: 'Sign in' },
  { path: '/sign-in#token=a-token', state: 'by a mailed link', api: as(mailing), shows: 'Sign in' },
  {
    ...{ path: '/sign-in', state: 'a code was mailed', shows: 'Sign in' },
    api: () =>
      new FakeApi(mailing).on('POST /api/auth/sign-in/mailed', {
        request: { id: 'a-request', expiresAt: '2026-11-30T12:00:00Z' },
      }),
    act: async () => {
      await page.getByRole('button', { name: 'Send me a code' }).click();
      await enter('E-mail address', 'ada@example.com');
      await expect.element(page.getByLabelText('Code from the e-mail')).toBeVisible();
    },
  },
  {
    ...{ path: '/sign-in', state: 'with passkeys and providers', shows: 'Sign in' },
    api: () =>
      new FakeApi(offering).on('POST /api/auth/sign-in/passkey/options', new Refusal(404, 'NOT_FOUND')),
    act: async () => {
      await expect.element(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
    },
  },
  {
    path: '/sign-in/return#error=ACCESS_DENIED',
    state: 'refused',
    api: as(offering),
    shows: 'That did not work',
  },
  {
    ...{ path: '/sign-in/return#ticket=a', state: 'a code was mailed', shows: 'Signing in' },
    api: () =>
      new FakeApi(offering).on('POST /api/auth/sign-in/ticket', {
        codeRequired: true,
        request: { id: 'a-request', expiresAt: '2026-11-30T12:00:00Z' },
      }),
    act: async () => {
      await expect.element(page.getByLabelText('Code from the e-mail')).toBeVisible();
    },
  },
  { path: '/sign-up', state: 'signed out', api: as(signedOut), shows: 'Create your account' },
  { path: '/sign-up', state: 'by invitation alone', api: as(closed), shows: 'By invitation only' },
  { path: '/forgot-password', state: 'signed out', api: as(signedOut), shows: 'Choose a new password' },
  {
    ...{ path: '/forgot-password', state: 'asked for', shows: 'Check your e-mail' },
    api: () => new FakeApi(signedOut).on('POST /api/auth/password/forgot', { success: true }),
    act: () => enter('E-mail address', 'ada@example.com'),
  },
  { path: '/reset-password', state: 'without a link', api: as(signedOut), shows: 'Choose a new password' },
  {
    ...{ path: '/reset-password#token=a', state: 'by a link', api: as(signedOut) },
    shows: 'Choose a new password',
  },
  {
    path: '/verify-email',
    state: 'without a link',
    api: as(signedOut),
    shows: 'Confirm your e-mail address',
  },
  {
    ...{ path: '/verify-email#token=a', state: 'by a link', api: as(owner) },
    shows: 'Confirm your e-mail address',
  },
  {
    ...{ path: '/verify-email#token=a', state: 'by a link that was opened elsewhere' },
    ...{ shows: 'Your address is confirmed', act: press('Confirm') },
    api: () =>
      new FakeApi(signedOut).on('POST /api/auth/email/verify', {
        ...{ success: true, email: 'ada@example.com', resetToken: 'another-token' },
      }),
  },
  { path: '/accept-invitation', state: 'without a link', api: as(signedOut), shows: 'You are invited' },
  { path: link, state: 'signed out', api: invited(signedOut), shows: 'Join Globex Corporation' },
  { path: link, state: 'as somebody else', api: invited(owner), shows: 'Join Globex Corporation' },
  {
    ...{ path: link, state: 'as who is meant', shows: 'Join Globex Corporation' },
    api: invited(owner, { ...invitation, email: 'Ada@example.com', inviterName: null }),
  },
  {
    ...{ path: link, state: 'over', shows: 'You are invited' },
    api: () =>
      as(signedOut)().on(
        'GET /api/auth/invitations/a-token',
        new Refusal(400, 'INVALID_TOKEN', { reason: 'INVITATION_EXPIRED' }),
      ),
  },
  { path: '/', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/', state: 'owner', api: as(owner), shows: 'Welcome, Ada Lovelace' },
  { path: '/', state: 'at work', api: atWork, shows: 'Waiting for you' },
  {
    ...{ path: '/', state: 'the numbers of a chart', api: atWork, shows: 'Waiting for you' },
    act: () => page.getByText('Show the numbers').first().click(),
  },
  { path: '/', state: 'in Swedish', api: atWork, shows: 'Väntar på dig', language: 'sv' },
  {
    ...{ path: '/', state: 'of an address that is not confirmed', shows: 'Welcome, Ada Lovelace' },
    api: () => {
      const api = newcomer();
      api.start = { ...owner, user: { ...owner.user, emailVerified: false } };
      return api;
    },
    act: async () => {
      await expect.element(page.getByRole('button', { name: 'Send the link again' })).toBeVisible();
    },
  },
  { path: '/', state: 'first steps', api: newcomer, shows: 'First steps' },
  {
    ...{ path: '/', state: 'leads away, quotes loading', shows: 'Waiting for you' },
    api: () =>
      atWork()
        .on('GET /api/leads/statistics', new Refusal(403, 'FORBIDDEN'))
        .on('GET /api/leads', new Refusal(403, 'FORBIDDEN'))
        .on('GET /api/quotation/quotes', never)
        .on('GET /api/quotation/statistics', never),
    act: async () => {
      await expect.element(page.getByRole('alert').first()).toBeVisible();
    },
  },
  { path: '/', state: 'without an organization', api: as(signedIn([])), shows: 'Create your organization' },
  {
    ...{ path: '/', state: 'none is active', shows: 'Choose an organization' },
    api: as({ ...owner, organization: null }),
  },
  {
    ...{ path: '/', state: 'two-factor demanded' },
    shows: 'Your organization requires two-factor authentication',
    api: as({
      ...{ ...owner, organization: null },
      organizations: [{ ...acme, accessible: false, twoFactorRequired: true }],
      session: { ...owner.session, organizationRefused: refusedOrganization },
    }),
  },
  {
    ...{ path: '/', state: 'menu of organizations open', shows: 'Welcome, Ada Lovelace' },
    ...{ api: as(owner), act: press('Organization: Acme') },
  },
  {
    ...{ path: '/', state: 'signed in through the organization, menus open', shows: 'Welcome, Ada Lovelace' },
    api: as({ ...owner, session: { ...owner.session, confinedTo: acme.id } }),
    act: async () => {
      await press('Organization: Acme')();
      expect(page.getByRole('menuitem', { name: 'New organization' }).elements()).toEqual([]);
      await press('Ada Lovelace: account and sign-out')();
      expect(page.getByRole('menuitem', { name: 'Your account' }).elements()).toEqual([]);
    },
  },
  { path: '/components', state: 'signed out', api: as(signedOut), shows: 'Components' },
  {
    ...{ path: '/components', state: 'its samples in Swedish, dark', shows: 'Meddelanden', language: 'sv' },
    api: as(owner),
    act: () => page.getByLabelText('Utseende').first().selectOptions('dark'),
  },
  { path: '/account', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/account', state: 'member', api: account(), shows: 'Your account' },
  { path: '/account', state: 'in Swedish', api: account(), shows: 'Ditt konto', language: 'sv' },
  { path: '/account/security', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/account/security', state: 'in Swedish', api: account(), shows: 'Ditt konto', language: 'sv' },
  { path: '/account/activity', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/account/activity', state: 'member', api: account(), shows: 'Your account' },
  { path: '/account/danger', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/account/danger', state: 'member', api: account(), shows: 'Delete account' },
  { path: '/account/security', state: 'with two-factor', api: account(withTwoFactor), shows: 'Your account' },
  {
    ...{ path: '/account/security', state: 'loading', shows: 'Your account' },
    api: () => account()().on(sessions, never).on(activity, never),
  },
  {
    ...{ path: '/account/security', state: 'failed', shows: 'Your account' },
    api: () =>
      account()().on(sessions, new Refusal(403, 'FORBIDDEN')).on(activity, new Refusal(403, 'FORBIDDEN')),
    act: async () => {
      await expect.element(page.getByRole('alert').first()).toBeVisible();
    },
  },
  {
    ...{
      path: '/account/security',
      state: 'step-up',
      api: () => apiThatAsks(),
      shows: 'Confirm that it is you',
    },
    act: press('End all others'),
  },
  {
    ...{ path: '/account/security', state: 'turning two-factor on', api: account() },
    ...{
      shows: 'Turn on two-factor authentication',
      act: () => page.getByRole('button', { name: 'Turn on', exact: true }).click(),
    },
  },
  {
    ...{ path: '/account/security', state: 'turning two-factor off', api: account(withTwoFactor) },
    ...{ shows: 'Turn off two-factor authentication', act: press('Turn off') },
  },
  { path: '/organizations/new', state: 'signed out', api: as(signedOut), shows: 'Sign in' },
  { path: '/organizations/new', state: 'owner', api: as(owner), shows: 'New organization' },
  ...leadRows,
  ...peopleRows,
  ...quoteRows,
  ...organizationRows,
  ...exportRows,
  ...serviceAccountRows,
  ...domainRows,
  ...activityRows,
  { path: '/nowhere', state: 'not found', api: as(owner), shows: 'Page not found' },
];

const apiThatAsks = () =>
  account()().on(
    'DELETE /api/auth/sessions',
    new Refusal(401, 'INSUFFICIENT_USER_AUTHENTICATION', { reason: 'PASSWORD_REQUIRED' }),
  );
