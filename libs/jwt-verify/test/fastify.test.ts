import Fastify, { type FastifyInstance } from 'fastify';
import fastify4 from 'fastify-4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRefusals, identityOf, jwtAccess, memberOf } from '@tenantry/jwt-verify/fastify';
import { createTestIssuer, type TestClaims, type TestIssuer } from '@tenantry/jwt-verify/testing';
import { permissions } from './permissions.ts';

let issuer: TestIssuer;
let app: FastifyInstance;

beforeAll(async () => {
  issuer = await createTestIssuer();
  const access = jwtAccess(issuer.verifier(), { permissions });
  app = Fastify();
  app.get('/declared-before', async () => 'reached');
  await app.register(access.protect);
  app.get('/declared-after', async () => 'reached');
  app.get('/public', { config: { public: true } }, async (request) => ({ identity: request.identity }));
  app.get('/open', { config: { public: true } }, async (request) => identityOf(request));
  app.get('/almost-public', { config: { public: 'yes' as unknown as boolean } }, async () => 'reached');
  const guarded = { config: { public: true }, onRequest: access.requires('invoices:read') };
  app.get('/public-and-guarded', guarded, async (request) => identityOf(request).userId);
  app.get('/me', async (request) => request.identity);
  app.get('/organization', async (request) => memberOf(request).organizationId);
  const sensitive = [access.requires('invoices:delete'), access.requiresRecentFactor({ maxAgeSeconds: 300 })];
  app.delete('/invoices', { onRequest: sensitive }, async () => 'deleted');
  await app.register(async (child) => {
    child.get('/child', async (request) => identityOf(request).role);
    await child.register(async (grandchild) => void grandchild.get('/grandchild', async () => 'reached'));
  });
});
afterAll(async () => {
  await app.close();
  await issuer.close();
});

type Method = 'GET' | 'HEAD' | 'DELETE' | 'OPTIONS';
const send = async (url: string, claims?: TestClaims, method: Method = 'GET') => {
  const headers = claims ? { authorization: `Bearer ${await issuer.token(claims)}` } : {};
  return app.inject({ method, url, headers });
};

describe('one register', () => {
  it.each([
    ['GET', '/declared-after'],
    ['HEAD', '/declared-after'],
    ['GET', '/declared-before'],
    ['GET', '/child'],
    ['GET', '/grandchild'],
    ['GET', '/almost-public'],
    ['GET', '/unknown'],
    ['OPTIONS', '/declared-after'],
  ] as const)('protects every route, wherever it is declared: %s %s [S-85]', async (method, path) => {
    const response = await send(path, undefined, method);
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });

  it('lets anyone call a public route, where the caller is unknown', async () => {
    expect((await send('/public')).json()).toEqual({ identity: null });
    expect((await send('/public', { role: 'owner' })).json()).toEqual({ identity: null });
    const response = await send('/open', { role: 'owner' });
    expect(response.statusCode).toBe(500);
    expect(response.body).toContain('This route is public');
  });

  it('does not open a route that has a guard of its own', async () => {
    expect((await send('/public-and-guarded')).statusCode).toBe(401);
    expect((await send('/public-and-guarded', { sub: 'u' })).body).toBe('u');
  });

  it('protects what is below the instance that registers, and no other', async () => {
    const parent = Fastify();
    parent.get('/docs', async () => 'read');
    await parent.register(async (api) => {
      await api.register(jwtAccess(issuer.verifier()).protect);
      api.get('/api', async () => 'reached');
    });
    expect((await parent.inject('/docs')).body).toBe('read');
    expect((await parent.inject('/api')).statusCode).toBe(401);
    await parent.close();
  });
});

describe('a protected route', () => {
  it('knows who calls', async () => {
    expect((await send('/me', { sub: 'user-1' })).json()).toMatchObject({ userId: 'user-1' });
    expect((await send('/child', { role: 'admin' })).body).toBe('admin');
    expect((await send('/unknown', {})).statusCode).toBe(404);
  });

  it('has an organization where it asks for one, or answers that none is active', async () => {
    expect((await send('/organization', { organizationId: 'o-1' })).body).toBe('o-1');
    const nowhere = (await send('/organization', { organizationId: null })).json<{ code: string }>();
    expect(nowhere).toMatchObject({ statusCode: 403, code: 'NO_ACTIVE_ORGANIZATION' });
  });

  it('asks for the permission first, then for a recent second factor', async () => {
    const old = Math.floor(Date.now() / 1000) - 301;
    expect((await send('/invoices', { role: 'owner' }, 'DELETE')).body).toBe('deleted');
    const stale = await send('/invoices', { role: 'owner', auth_time: old, amr: ['pwd', 'otp'] }, 'DELETE');
    expect([stale.statusCode, stale.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('max_age="300"'),
    ]);
    expect((await send('/invoices', { role: 'member', auth_time: old }, 'DELETE')).statusCode).toBe(403);
  });

  it('keeps the identities of a thousand concurrent requests apart', async () => {
    const subjects = Array.from({ length: 1000 }, (_, n) => `user-${n}`);
    const answers = await Promise.all(subjects.map((sub) => send('/me', { sub })));
    expect(answers.map((answer) => answer.json<{ userId: string }>().userId)).toEqual(subjects);
  });

  it('waits for a key that must be fetched first', async () => {
    const served = await createTestIssuer({ server: true });
    const late = Fastify();
    await late.register(jwtAccess(served.verifier()).protect);
    late.get('/me', async (request) => identityOf(request).userId);
    const token = await served.token({ sub: 'user-1' });
    const response = await late.inject({ url: '/me', headers: { authorization: `Bearer ${token}` } });
    expect(response.body).toBe('user-1');
    const forged = await served.token({}, { kid: 'forged' });
    const refused = await late.inject({ url: '/me', headers: { authorization: `Bearer ${forged}` } });
    expect(refused.statusCode).toBe(401);
    await late.close();
    await served.close();
  });

  it('continues reads and stops writes while the revocation feed is unavailable', async () => {
    const stale = Fastify();
    await stale.register(jwtAccess(issuer.verifier({ revocations: 'http://127.0.0.1:1/feed' })).protect);
    stale.get('/', async () => 'read');
    stale.post('/', async () => 'written');
    const headers = { authorization: `Bearer ${await issuer.token()}` };
    expect((await stale.inject({ method: 'GET', url: '/', headers })).body).toBe('read');
    const write = await stale.inject({ method: 'POST', url: '/', headers });
    expect([write.statusCode, write.headers['retry-after']]).toEqual([503, '5']);
    await stale.close();
  });
});

describe('two verifiers in one application', () => {
  it('each ask for themselves: who is known to one is not known to the other [S-85]', async () => {
    const other = await createTestIssuer({ issuer: 'https://other.test/api/auth' });
    const both = Fastify();
    await both.register(jwtAccess(issuer.verifier()).protect);
    const { requires } = jwtAccess(other.verifier(), { permissions });
    both.get('/', { onRequest: requires('invoices:read') }, async () => 'reached');
    for (const known of [issuer, other]) {
      const headers = { authorization: `Bearer ${await known.token({ role: 'owner' })}` };
      expect((await both.inject({ url: '/', headers })).statusCode).toBe(401);
    }
    await both.close();
    await other.close();
  });
});

describe('a permission', () => {
  it('that no role has is an error, thrown when the route is declared', () => {
    const none = jwtAccess(issuer.verifier());
    expect(() => none.requires('invoices:read' as never)).toThrow('Pass yours to jwtAccess.');
    const own = jwtAccess(issuer.verifier(), { permissions: { member: ['invoices:read'] } });
    expect(() => own.requires('invoices:raed' as 'invoices:read')).toThrow('There are: invoices:read.');
    expect(() => own.requires('leads:read' as 'invoices:read')).toThrow(
      "No permission is named 'leads:read'",
    );
  });

  it('is named so that a header can carry it', () => {
    const byRule = jwtAccess(issuer.verifier(), {
      permissions: (_holder, permission: string) => permission === 'x',
    });
    expect(() => byRule.requires('anything:else')).not.toThrow();
    for (const name of ['', 'in "quotes"', 'line\nbreak', 'läsa']) {
      expect(() => byRule.requires(name)).toThrow(/visible ASCII/);
    }
  });
});

describe('the hooks by themselves', () => {
  it('protect single routes of an application that has a way of its own to protect them all', async () => {
    const access = jwtAccess(issuer.verifier(), { permissions });
    const service = Fastify();
    service.get('/me', { onRequest: access.signedIn }, async (request) => identityOf(request).userId);
    service.get('/audit', { onRequest: access.requires('invoices:write') }, async () => 'audit');
    const as = async (claims: TestClaims) => ({ authorization: `Bearer ${await issuer.token(claims)}` });
    expect((await service.inject({ url: '/me', headers: await as({ sub: 'u' }) })).body).toBe('u');
    expect((await service.inject({ url: '/audit', headers: await as({ role: 'member' }) })).statusCode).toBe(
      403,
    );
    expect((await service.inject({ url: '/audit', headers: await as({ role: 'owner' }) })).body).toBe(
      'audit',
    );
    await service.close();
  });
});

describe.each([
  ['Fastify 5', Fastify],
  ['Fastify 4', fastify4 as unknown as typeof Fastify],
])('answerRefusals on %s', (_version, fastify) => {
  it('leaves every other error to the handler above, or to Fastify', async () => {
    const broken = async () => Promise.reject(Object.assign(new Error('broken'), { statusCode: 418 }));
    const root = fastify();
    root.get('/', broken);
    await root.register(async (child) => {
      child.setErrorHandler(answerRefusals);
      child.get('/below', broken);
    });
    const byDefault = await root.inject('/below');
    expect(byDefault.json()).toEqual((await root.inject('/')).json());
    expect(byDefault.statusCode).toBe(418);
    await root.close();

    const own = fastify();
    own.setErrorHandler((error: Error, _request, reply) => reply.code(409).send({ own: error.message }));
    await own.register(async (child) => {
      child.setErrorHandler(answerRefusals);
      child.get('/below', broken);
    });
    const passedOn = await own.inject('/below');
    expect([passedOn.statusCode, passedOn.json()]).toEqual([409, { own: 'broken' }]);
    await own.close();
  });
});
