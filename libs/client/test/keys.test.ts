import { createTenantry, type KeyOptions } from '@tenantry/client';
import { describe, expect, it } from 'vitest';
import { rejection } from './support/clients.ts';
import { enveloped, FakeApi, pagesOf, plainRefusal, refusal } from './support/fake-api.ts';

const key = 'tak_of-these-tests';
const baseUrl = 'http://page.example';

function program() {
  const api = new FakeApi({ usesCookies: false });
  api.standing.accessToken = key;
  return { api, tenantry: createTenantry({ baseUrl, key, fetch: api.fetch }) };
}

describe('a client with a key', () => {
  it('sends it as a bearer token with every call, without cookies', async () => {
    const { api, tenantry } = program();
    api.on('GET /api/leads', pagesOf(1));
    api.on('POST /api/leads', () => enveloped({ id: 'new' }));
    await tenantry.listLeads();
    await tenantry.createLead({ body: { name: 'Ada', email: 'ada@example.com' } });
    for (const { headers, credentials } of api.received) {
      expect(headers).toMatchObject({ authorization: `Bearer ${key}` });
      expect(headers).not.toHaveProperty('x-csrf-token');
      expect(credentials).toBe('omit');
    }
    expect(api.received).toHaveLength(2);
  });

  it.each(['TOKEN_REVOKED', 'TOKEN_EXPIRED'])(
    'repeats a call once that is refused for %s: the gateway then exchanges the key again',
    async (reason) => {
      const { api, tenantry } = program();
      const refused = refusal(401, 'UNAUTHENTICATED', { reason });
      api.refusing('GET /api/leads', [refused], pagesOf(1));
      expect((await tenantry.listLeads()).data.total).toBe(1);
      api.on('GET /api/leads', () => refused);
      expect(await rejection(tenantry.listLeads())).toMatchObject({ code: 'UNAUTHENTICATED', reason });
      expect(api.received.map(({ route }) => route)).toEqual(
        Array.from({ length: 4 }, () => 'GET /api/leads'),
      );
    },
  );

  it('has no session to renew or to confirm: what needs a user is refused', async () => {
    const { api, tenantry } = program();
    api.on('GET /api/leads', () => refusal(401, 'INVALID_KEY'));
    api.on('GET /api/auth/session', () => plainRefusal(403, 'USER_REQUIRED'));
    expect(await rejection(tenantry.listLeads())).toMatchObject({ code: 'INVALID_KEY', status: 401 });
    expect(await rejection(tenantry.getSession())).toMatchObject({ code: 'USER_REQUIRED', status: 403 });
    expect(api.received).toHaveLength(2);
  });

  it('needs to know where to send it', () => {
    for (const options of [{ key }, { key, baseUrl: '' }]) {
      expect(() => createTenantry(options as KeyOptions)).toThrow(/key and a baseUrl/);
    }
  });

  it('is no page for want of a key', () => {
    for (const missing of [undefined, '']) {
      expect(() => createTenantry({ baseUrl, key: missing })).toThrow(/key and a baseUrl/);
    }
  });

  it('lets no redirect take the key anywhere else [S-102]', async () => {
    const redirects: (string | undefined)[] = [];
    const { api } = program();
    api.on('GET /api/leads', pagesOf(1));
    const watched: typeof fetch = (input, init) => {
      redirects.push(init?.redirect);
      return api.fetch(input, init);
    };
    await createTenantry({ baseUrl, key, fetch: watched }).listLeads();
    expect(redirects).toEqual(['error']);
  });
});
