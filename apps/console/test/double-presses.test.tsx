import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { FakeApi, Refusal } from './support/fake-api.ts';
import { apiOfLeads, leadRow, one, pageOf } from './support/leads.ts';
import { open } from './support/open.tsx';
import { apiOfPeople, invitations } from './support/people.ts';
import { acceptedQuote, apiWithQuote, customer, draftQuote, enveloped, sentQuote } from './support/quotes.ts';
import { account, accountsPath, apiOfServiceAccounts, newKey, shownKey } from './support/service-accounts.ts';
import { signedIn, signedInAs, signedOut } from './support/starts.ts';

const quotePath = '/api/quotation/quotes/a-quote';
const button = (name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
const fill = (label: string, text: string) => page.getByLabelText(label, { exact: true }).fill(text);
const copy = { id: 'a-copy', number: 'Q-2026-0002' };

interface Submission {
  readonly path: string;
  readonly api: () => FakeApi;
  /** Up to the last press. */
  readonly begin: () => Promise<unknown>;
  readonly press?: () => ReturnType<typeof button>;
  readonly sends: string;
  readonly answer?: object;
}

const offer = () => apiWithQuote(sentQuote).on('GET /api/quotation/quotes/a-copy', enveloped(draftQuote));
const entry = (name: string) => page.getByRole('menuitem', { name, exact: true });
const more = (name: string) => async () => {
  await page.getByRole('group', { name: 'What you can do' }).getByRole('button', { name: 'More' }).click();
  return expect.element(entry(name)).toBeVisible();
};
const asked = (name: string) => async () => {
  await more(name)();
  await entry(name).click();
};
const invitation = {
  ...{ organizationName: 'Globex', inviterName: 'Grace Hopper', role: 'admin' },
  ...{ email: 'ada@example.com', expiresAt: '2026-11-30T12:00:00Z' },
};
const invited = () => new FakeApi(signedIn()).on('GET /api/auth/invitations/a-token', { invitation });
const sessionOf = (id: string, current: boolean) => ({
  ...{ id, current, device: 'Firefox', browser: 'Firefox', system: 'Linux', ipAddress: '192.0.2.1' },
  ...{ createdAt: '2026-11-20T12:00:00Z', lastActiveAt: '2026-11-20T12:00:00Z' },
});
const lead = { name: 'Åke', email: 'ake@example.com' };
const submissions: Readonly<Record<string, Submission>> = {
  'Create lead': {
    path: '/leads/new',
    api: () =>
      apiOfLeads()
        .on('GET /api/leads/lead-9', one({ ...leadRow(9), ...lead, notes: null }))
        .on('GET /api/leads/lead-9/history', pageOf([])),
    begin: async () => {
      await fill('Name', lead.name);
      await fill('E-mail', lead.email);
    },
    ...{ sends: 'POST /api/leads', answer: one({ ...leadRow(9), ...lead, notes: null }) },
  },
  'Create quote': {
    path: '/quotes/new?customer=karin',
    api: offer,
    begin: async () => {
      await expect.element(page.getByLabelText('Customer')).toHaveValue(customer.name);
      await fill('Title', 'New roof');
    },
    ...{ sends: 'POST /api/quotation/quotes', answer: enveloped(copy) },
  },
  'Send quote': {
    ...{ path: '/quotes/a-quote', api: () => apiWithQuote(), begin: () => button('Send').click() },
    ...{ sends: `POST ${quotePath}/send`, answer: enveloped(sentQuote) },
  },
  'Mail again': {
    ...{ path: '/quotes/a-quote', api: offer, begin: () => button('Mail again').click() },
    ...{ press: () => inDialog('Mail again'), sends: `POST ${quotePath}/resend` },
  },
  'Copy link': {
    ...{ path: '/quotes/a-quote', api: offer, begin: () => Promise.resolve() },
    sends: `POST ${quotePath}/link`,
  },
  Revise: {
    ...{ path: '/quotes/a-quote', api: offer, begin: more('Revise'), press: () => entry('Revise') },
    sends: `POST ${quotePath}/revise`,
  },
  Duplicate: {
    ...{ path: '/quotes/a-quote', api: offer, begin: more('Duplicate'), press: () => entry('Duplicate') },
    sends: `POST ${quotePath}/duplicate`,
  },
  'Accept for the customer': {
    ...{ path: '/quotes/a-quote', api: offer, begin: asked('Accept for the customer') },
    ...{ press: () => inDialog('Accept'), sends: `POST ${quotePath}/accept` },
  },
  'Decline for the customer': {
    ...{ path: '/quotes/a-quote', api: offer, begin: asked('Decline for the customer') },
    ...{ press: () => inDialog('Decline'), sends: `POST ${quotePath}/reject` },
  },
  'Create contract': {
    ...{ path: '/quotes/a-quote', api: () => apiWithQuote(acceptedQuote), begin: () => Promise.resolve() },
    sends: `POST ${quotePath}/contract`,
  },
  Delete: {
    ...{ path: '/leads/lead-1', api: () => apiOfLeads(), begin: () => Promise.resolve() },
    sends: 'DELETE /api/leads/lead-1',
  },
  Accept: {
    ...{ path: '/accept-invitation#token=a-token', api: invited, begin: () => Promise.resolve() },
    sends: 'POST /api/auth/invitations/accept',
  },
  Decline: {
    ...{ path: '/accept-invitation#token=a-token', api: invited, begin: () => button('Decline').click() },
    sends: 'POST /api/auth/invitations/reject',
  },
  'End all others': {
    path: '/account/security',
    api: () =>
      new FakeApi(signedIn()).on('GET /api/auth/sessions', {
        sessions: [sessionOf('this', true), sessionOf('other', false)],
      }),
    ...{ begin: () => Promise.resolve(), sends: 'DELETE /api/auth/sessions' },
  },
  Invite: {
    ...{ path: '/people', api: () => apiOfPeople(signedInAs('admin'), { invited: [] }) },
    begin: async () => {
      await button('Invite people').click();
      await fill('E-mail addresses', 'alan@example.com');
    },
    ...{ press: () => inDialog('Invite'), sends: `POST ${invitations}` },
  },
  'New service account': {
    ...{ path: '/organization/keys', api: () => apiOfServiceAccounts([account]) },
    begin: async () => {
      await button('New service account').click();
      await fill('Name', 'Website form');
    },
    press: () => inDialog('Create account'),
    ...{ sends: `POST ${accountsPath}`, answer: { serviceAccount: { ...account, id: 'another' } } },
  },
  'Create key': {
    ...{ path: '/organization/keys', api: () => apiOfServiceAccounts() },
    begin: async () => {
      await button('New key for Nightly import').click();
      await fill('Name', 'Server in Uppsala');
    },
    ...{ sends: `POST ${accountsPath}/an-account/keys`, answer: { key: shownKey, apiKey: newKey } },
  },
  'Delete key': {
    ...{ path: '/organization/keys', api: () => apiOfServiceAccounts() },
    begin: () => button('Delete the key Server in Uppsala').click(),
    sends: `DELETE ${accountsPath}/an-account/keys/a-key`,
  },
  'Create account': {
    ...{ path: '/sign-up', api: () => new FakeApi(signedOut), begin: () => fill('Your name', 'Ada') },
    sends: 'POST /api/auth/sign-up/email',
  },
  'Create organization': {
    ...{
      path: '/organizations/new',
      api: () => new FakeApi(signedIn()),
      begin: () => fill('Name', 'Globex'),
    },
    sends: 'POST /api/auth/organization/create',
  },
  'Sign in': {
    ...{
      path: '/sign-in',
      api: () => new FakeApi(signedOut),
      begin: () => fill('Password', 'correct horse'),
    },
    sends: 'POST /api/auth/sign-in/email',
  },
};

const keysOf = (api: FakeApi, operation: string) =>
  api.requests
    .filter((request) => request.operation === operation)
    .map(({ idempotencyKey }) => idempotencyKey);

/** An answer that is given later. */
function held() {
  let resolve: (answer: object) => void = () => undefined;
  const promise = new Promise<object>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Events in one task, so that nothing is rendered between them. */
function pressTwice(element: Element): void {
  (element as HTMLElement).click();
  element.closest('form')?.requestSubmit();
  (element as HTMLElement).click();
}

/** The button that was pressed, or the one whose menu it is in. */
const isShownBusy = () => document.querySelector('button[data-busy]') !== null;

describe('two presses are one', () => {
  test.each(Object.entries(submissions))('%s', async (name, row) => {
    const { promise, resolve } = held();
    const api = row.api().on(row.sends, () => promise);
    await open(row.path, api);
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await row.begin();
    const target = (row.press ?? (() => button(name)))();
    await expect.element(target).toBeVisible();
    const element = target.element();
    pressTwice(element);
    await expect.poll(() => api.sentTo(row.sends)).toHaveLength(1);
    await expect.poll(isShownBusy).toBe(true);
    pressTwice(element);
    resolve(row.answer ?? new Refusal(409, 'CONFLICT'));
    pressTwice(element);
    await expect.poll(isShownBusy).toBe(false);
    expect(api.sentTo(row.sends)).toHaveLength(1);
  });

  test('also between the answer and the page that it leads to', async () => {
    const shown = held();
    const row = submissions['Create quote'] as Submission;
    const api = row.api().on(row.sends, enveloped(copy));
    api.on('GET /api/quotation/quotes/a-copy', () => shown.promise);
    const { address } = await open(row.path, api);
    await row.begin();
    const element = button('Create quote').element();
    pressTwice(element);
    await expect.poll(() => api.sentTo(row.sends)).toHaveLength(1);
    while (element.isConnected) {
      pressTwice(element);
      await new Promise(requestAnimationFrame);
    }
    expect(address()).toBe('/quotes/a-copy');
    shown.resolve(enveloped(draftQuote));
    expect(api.sentTo(row.sends)).toHaveLength(1);
  });
});

describe('a submission whose answer was lost', () => {
  test('is the same one when it is made again, and another one once it is changed', async () => {
    const row = submissions['Create lead'] as Submission;
    const api = row.api();
    await open(row.path, api);
    await row.begin();
    const isBusy = () => button('Create lead').element().hasAttribute('data-busy');
    for (let times = 1; times <= 2; times += 1) {
      const { promise, resolve } = held();
      api.on(row.sends, () => promise);
      await button('Create lead').click();
      await expect.poll(() => keysOf(api, row.sends)).toHaveLength(times);
      await expect.poll(isBusy).toBe(true);
      resolve(new Refusal(503, 'UPSTREAM_UNAVAILABLE'));
      await expect.poll(isBusy).toBe(false);
      await expect.element(page.getByRole('alert')).toBeVisible();
    }
    api.on(row.sends, row.answer ?? {});
    await fill('Name', 'Åse');
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => keysOf(api, row.sends)).toHaveLength(3);
    const [first, again, changed] = keysOf(api, row.sends);
    expect(first).toMatch(/./);
    expect(again).toBe(first);
    expect(changed).not.toBe(first);
  });
});
