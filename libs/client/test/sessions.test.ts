import { describe, expect, it, vi } from 'vitest';
import { createTenantry, tokensInMemory } from '@tenantry/client';
import { id, page, program, rejection } from './support/clients.ts';
import { enveloped, FakeApi, pagesOf, plainRefusal, refusal } from './support/fake-api.ts';

const start = 'GET /api/auth/start';
const refresh = 'POST /api/auth/refresh';
const expired = () => refusal(401, 'UNAUTHENTICATED', { reason: 'TOKEN_EXPIRED' });

describe('a session in a page whose access token has expired', () => {
  it('is renewed once for all calls that wait, and each is sent once more', async () => {
    const { api, tenantry } = page();
    api.on('GET /api/leads', pagesOf(1));
    api.standing.isExpired = true;
    const answers = await Promise.all(Array.from({ length: 20 }, () => tenantry.listLeads()));
    expect(answers.map(({ data }) => data.total)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(api.requests(refresh)).toHaveLength(1);
    expect(api.requests('GET /api/leads')).toHaveLength(40);
  });

  it('is not renewed again for a call that comes back after the renewal', async () => {
    const { api, tenantry } = page();
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    api.on('GET /api/leads', pagesOf(1));
    api.refusing('GET /api/users', [], pagesOf(1));
    api.on('GET /api/users', async (request) => {
      if (request.headers['late'] === undefined && api.requests('GET /api/users').length === 1) {
        await slow;
        return expired();
      }
      return pagesOf(1)(request);
    });
    const late = tenantry.listUsers();
    await expect.poll(() => api.requests('GET /api/users')).toHaveLength(1);
    api.standing.isExpired = true;
    await tenantry.listLeads();
    release();
    expect((await late).data.total).toBe(1);
    expect(api.requests(refresh)).toHaveLength(1);
  });

  it('is taken as it is where another tab has renewed it', async () => {
    const { api, tenantry } = page();
    api.refusing('GET /api/leads', [expired()], pagesOf(1));
    expect((await tenantry.listLeads()).data.total).toBe(1);
    expect([api.requests(start).length, api.requests(refresh).length]).toEqual([1, 0]);
  });

  it.each(['TOKEN_EXPIRED', 'TOKEN_REVOKED', 'TOKEN_MISSING'])(
    'is renewed for %s, once for a call',
    async (reason) => {
      const { api, tenantry } = page();
      const refused = refusal(401, 'UNAUTHENTICATED', { reason });
      api.on('GET /api/leads', () => refused);
      expect(await rejection(tenantry.listLeads())).toMatchObject({ code: 'UNAUTHENTICATED', reason });
      expect(api.requests('GET /api/leads')).toHaveLength(2);
      expect(api.requests(start)).toHaveLength(1);
    },
  );

  it.each(['SESSION_ENDED', 'SESSION_ELSEWHERE', 'TOKEN_SIGNATURE_INVALID'])(
    'is over for %s, without being asked for again',
    async (reason) => {
      const onSignedOut = vi.fn();
      const { api, tenantry } = page({ onSignedOut });
      api.on('GET /api/leads', () => refusal(401, 'UNAUTHENTICATED', { reason }));
      await rejection(tenantry.listLeads());
      expect(api.received).toHaveLength(1);
      expect(onSignedOut.mock.calls).toEqual([[reason]]);
    },
  );

  it.each(['INVALID_CREDENTIALS', 'INVALID_CODE', 'INVALID_CHALLENGE'])(
    'stays as it is for %s, which is no news of the session',
    async (code) => {
      const onSignedOut = vi.fn();
      const { api, tenantry } = page({ onSignedOut });
      api.on('POST /api/auth/sign-in/email', () => plainRefusal(401, code));
      const call = tenantry.signInWithEmail({ body: { email: 'a@b.example', password: 'p' } });
      expect(await rejection(call)).toMatchObject({ code });
      expect(api.received).toHaveLength(1);
      expect(onSignedOut).not.toHaveBeenCalled();
    },
  );

  it('that cannot be renewed is reported once, and every call rejects with its own refusal', async () => {
    const onSignedOut = vi.fn();
    const { api, tenantry } = page({ onSignedOut });
    Object.assign(api.standing, { isExpired: true, isRenewable: false });
    const calls = Array.from({ length: 5 }, () => rejection(tenantry.listLeads()));
    for (const error of await Promise.all(calls)) expect(error).toMatchObject({ reason: 'TOKEN_EXPIRED' });
    expect(onSignedOut.mock.calls).toEqual([['SESSION_ENDED']]);
    expect(api.requests(refresh)).toEqual([]);
    await tenantry.signInWithEmail({ body: { email: 'a@b.example', password: 'p' } });
    api.standing.userId = undefined;
    await rejection(tenantry.listLeads());
    expect(onSignedOut.mock.calls).toEqual([['SESSION_ENDED'], ['TOKEN_MISSING']]);
  });

  it('is not over because its renewal had no answer', async () => {
    const onSignedOut = vi.fn();
    const { api, tenantry } = page({ onSignedOut });
    api.standing.isExpired = true;
    api.on(start, () => Promise.reject(new TypeError('Failed to fetch')));
    expect(await rejection(tenantry.listLeads())).toMatchObject({ code: 'OFFLINE' });
    expect(onSignedOut).not.toHaveBeenCalled();
  });

  it('is renewed for a change too, which was refused and not done; what was streamed is not sent again', async () => {
    const { api, tenantry } = page();
    await tenantry.getStart();
    api.on('POST /api/leads', () => enveloped({ id }));
    api.on('POST /api/leads/import', () => enveloped({}));
    api.standing.isExpired = true;
    await tenantry.createLead({ body: { name: 'Åke', email: 'ake@example.com' } });
    api.standing.isExpired = true;
    const stream = { getReader: () => undefined } as unknown as ReadableStream<Uint8Array>;
    expect(await rejection(tenantry.importLeads({ body: stream }))).toMatchObject({
      reason: 'TOKEN_EXPIRED',
    });
    expect(api.requests('POST /api/leads/import')).toHaveLength(1);
  });

  it('never does as another user what one has begun', async () => {
    const onSignedOut = vi.fn();
    const { api, tenantry } = page({ onSignedOut });
    await tenantry.getStart();
    api.on('PATCH /api/auth/user', () => ({ body: { user: {} } }));
    Object.assign(api.standing, { userId: 'bob', csrfToken: 'csrf-of-bob' });
    expect(await rejection(tenantry.updateProfile({ body: { name: 'Ada' } }))).toMatchObject({
      code: 'CSRF_FAILED',
    });
    expect(api.requests('PATCH /api/auth/user')).toHaveLength(1);
    expect(onSignedOut.mock.calls).toEqual([['SIGNED_OUT']]);
  });
});

describe('the CSRF token', () => {
  it('comes with getStart and with every answer that has a session, and goes with every change', async () => {
    const { api, tenantry } = page();
    api.on('POST /api/leads', () => enveloped({ id }));
    const create = () => tenantry.createLead({ body: { name: 'Åke', email: 'ake@example.com' } });
    await tenantry.getStart();
    await create();
    await tenantry.refreshSession({ body: {} });
    await create();
    expect(api.requests('POST /api/leads').map(({ headers }) => headers['x-csrf-token'])).toEqual([
      'csrf-1',
      'csrf-2',
    ]);
    expect(api.requests(start).every(({ headers }) => headers['x-csrf-token'] === undefined)).toBe(true);
  });

  it('is asked for where it is missing or has changed, once for a call', async () => {
    const { api, tenantry } = page();
    api.on('POST /api/leads', () => enveloped({ id }));
    await tenantry.createLead({ body: { name: 'Åke', email: 'ake@example.com' } });
    api.standing.csrfToken = 'csrf-of-another-tab';
    await tenantry.createLead({ body: { name: 'Åsa', email: 'asa@example.com' } });
    expect(api.requests(start)).toHaveLength(2);
    api.on('POST /api/leads', () => refusal(403, 'CSRF_FAILED'));
    const call = tenantry.createLead({ body: { name: 'Åsa', email: 'asa@example.com' } });
    expect(await rejection(call)).toMatchObject({ code: 'CSRF_FAILED' });
    expect(api.requests(start)).toHaveLength(3);
  });
});

describe('the organization that calls mean', () => {
  const meant = (api: FakeApi, route: string) =>
    api.requests(route).map(({ headers }) => headers['expected-organization']);

  it('is that of getStart, then that of a switch, and goes with every business call', async () => {
    const { api, tenantry } = page();
    api.on('GET /api/leads', pagesOf(0));
    api.on('POST /api/auth/organization/switch', ({ body }) => {
      api.standing.organizationId = (body as { organizationId: string }).organizationId;
      return { body: { session: api.renew() } };
    });
    await tenantry.listLeads();
    await tenantry.getStart();
    await tenantry.listLeads();
    await tenantry.switchOrganization({ body: { organizationId: 'looms' } });
    await tenantry.listLeads();
    expect(meant(api, 'GET /api/leads')).toEqual([undefined, 'engines', 'looms']);
    expect(meant(api, start)).toEqual([undefined]);
  });

  it('stays what it was while another tab switches: the call is refused, reported once, and not sent again', async () => {
    const onOrganizationChanged = vi.fn();
    const { api, tenantry } = page({ onOrganizationChanged });
    api.on('GET /api/leads', pagesOf(0));
    await tenantry.getStart();
    Object.assign(api.standing, { organizationId: 'looms', isExpired: true });
    for (const error of await Promise.all([
      rejection(tenantry.listLeads()),
      rejection(tenantry.listLeads()),
    ])) {
      expect(error).toMatchObject({ code: 'ORGANIZATION_CHANGED' });
    }
    // With the expired token, and once it was renewed.
    expect(meant(api, 'GET /api/leads')).toEqual(['engines', 'engines', 'engines', 'engines']);
    expect(onOrganizationChanged).toHaveBeenCalledTimes(1);
    await tenantry.getStart();
    expect((await tenantry.listLeads()).data.total).toBe(0);
  });
});

describe('a list', () => {
  it('shows what was written before, by the token of the same service', async () => {
    const { api, tenantry } = page();
    await tenantry.getStart();
    const headers = { 'consistency-token': 'written-1' };
    api.on('POST /api/leads', () => ({ ...enveloped({ id }), headers }));
    api.on('GET /api/leads', pagesOf(0));
    api.on('GET /api/users', pagesOf(0));
    await tenantry.createLead({ body: { name: 'Åke', email: 'ake@example.com' } });
    await tenantry.listLeads();
    await tenantry.listUsers();
    const sent = ['GET /api/leads', 'GET /api/users'].map(
      (route) => api.requests(route)[0]?.headers['consistency-token'],
    );
    expect(sent).toEqual(['written-1', undefined]);
  });
});

describe('an operation that is done once', () => {
  const key = (api: FakeApi) =>
    api.requests('POST /api/leads').map(({ headers }) => headers['idempotency-key']);
  const body = { name: 'Åke', email: 'ake@example.com' };

  it('has a key of its own, kept when it is sent again', async () => {
    const { api, tenantry } = page();
    await tenantry.getStart();
    api.refusing('POST /api/leads', [expired()], () => enveloped({ id }));
    await tenantry.createLead({ body });
    await tenantry.createLead({ body });
    const [first, again, other] = key(api);
    expect(first).toMatch(/^[\w.-]{20,}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('has the key that it is given; one that takes none has none', async () => {
    const { api, tenantry } = page();
    await tenantry.getStart();
    api.on('POST /api/leads', () => enveloped({ id }));
    api.on(`DELETE /api/leads/${id}`, () => ({ status: 204 }));
    await tenantry.createLead({ body, idempotencyKey: 'mine' });
    await tenantry.deleteLead({ path: { id } });
    expect(key(api)).toEqual(['mine']);
    expect(api.requests(`DELETE /api/leads/${id}`)[0]?.headers).not.toHaveProperty('idempotency-key');
  });
});

describe('a page', () => {
  it('is given no token, and keeps nothing where a script could find it', async () => {
    const { tenantry } = page();
    const { data } = await tenantry.signInWithEmail({ body: { email: 'a@b.example', password: 'p' } });
    expect(Object.keys((data as { session: object }).session)).toEqual(['id', 'expiresAt', 'tokenExpiresAt']);
    expect(JSON.stringify([data, tenantry])).not.toMatch(/csrf-|access-|refresh-/);
    const { localStorage: local, sessionStorage: session } = globalThis as Partial<typeof globalThis>;
    expect([local?.length ?? 0, session?.length ?? 0]).toEqual([0, 0]);
  });

  it('sends its cookies, also to an API of another origin', async () => {
    const { api, tenantry } = page({ baseUrl: 'http://api.example' });
    await tenantry.getStart();
    expect(api.received.map(({ credentials }) => credentials)).toEqual(['include']);
  });
});

describe('a client with tokens of its own', () => {
  it('sends its access token and no cookie, and exchanges the refresh token once for all calls', async () => {
    const { api, tokens, tenantry } = program();
    api.on('GET /api/leads', pagesOf(1));
    await tenantry.listLeads();
    api.standing.accessToken = 'access-of-later';
    await Promise.all(Array.from({ length: 10 }, () => tenantry.listLeads()));
    expect(api.requests(refresh).map(({ body }) => body)).toEqual([{ refreshToken: 'refresh-1' }]);
    expect(tokens.read()).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' });
    expect(new Set(api.received.map(({ credentials }) => credentials))).toEqual(new Set(['omit']));
    expect(api.requests(start)).toEqual([]);
  });

  it('keeps the tokens of a sign-in, and forgets those of a session that has ended', async () => {
    const onSignedOut = vi.fn();
    const { api, tokens, tenantry } = program({ onSignedOut });
    await tenantry.signInWithEmail({ body: { email: 'a@b.example', password: 'p' } });
    expect(tokens.read()).toEqual({ accessToken: 'access-2', refreshToken: 'refresh-2' });
    Object.assign(api.standing, { isExpired: true, isRenewable: false });
    expect(await rejection(tenantry.listLeads())).toMatchObject({ reason: 'TOKEN_EXPIRED' });
    expect(tokens.read()).toBeNull();
    expect(onSignedOut.mock.calls).toEqual([['SESSION_ENDED']]);
  });

  it('forgets its tokens when it signs out, and ends when it cannot be renewed', async () => {
    const { tokens, tenantry } = program();
    await tenantry.signOut();
    expect(tokens.read()).toBeNull();
    expect(await rejection(tenantry.listLeads())).toMatchObject({ reason: 'TOKEN_MISSING' });
  });

  it('takes a renewal by somebody else from the store', async () => {
    const { api, tokens, tenantry } = program();
    const renewed = { accessToken: 'access-of-another-process', refreshToken: 'refresh-9' };
    api.on('GET /api/leads', async ({ headers }) => {
      if (headers['authorization'] === `Bearer ${renewed.accessToken}`)
        return pagesOf(1)(api.received.at(-1)!);
      await tokens.write(renewed);
      api.standing.accessToken = renewed.accessToken;
      return expired();
    });
    expect((await tenantry.listLeads()).data.total).toBe(1);
    expect(api.requests(refresh)).toEqual([]);
  });

  it('names its app and device', async () => {
    const api = new FakeApi({ usesCookies: false });
    const tenantry = createTenantry({
      baseUrl: 'http://page.example',
      tokens: tokensInMemory({ accessToken: 'access-1' }),
      device: { platform: 'ios', version: '1.2.3', id: 'a-phone' },
      fetch: api.fetch,
    });
    await tenantry.getStart();
    expect(api.received[0]?.headers).toMatchObject({
      'x-client-platform': 'ios',
      'x-client-version': '1.2.3',
      'x-device-id': 'a-phone',
    });
  });
});
