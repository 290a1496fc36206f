import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  identityOf,
  jwtAccess,
  jwtVerify,
  memberOf,
  requires,
  requiresRecentFactor,
  signedIn,
} from '@tenantry/jwt-verify/fastify';
import { createTestIssuer, type TestClaims, type TestIssuer } from '@tenantry/jwt-verify/testing';

let issuer: TestIssuer;
let app: FastifyInstance;

beforeAll(async () => {
  issuer = await createTestIssuer();
  app = Fastify();
  await app.register(jwtVerify, { verifier: issuer.verifier() });
  app.get('/public', async (request) => ({ identity: request.identity }));
  app.get('/nobody', async (request) => identityOf(request));
  app.get('/organization', { onRequest: signedIn }, async (request) => memberOf(request).organizationId);
  app.get('/me', { onRequest: signedIn }, async (request) => request.identity);
  app.get(
    '/leads',
    { onRequest: requires('leads:read') },
    async (request) => memberOf(request).organizationId,
  );
  const sensitive = [requires('users:delete'), requiresRecentFactor({ maxAgeSeconds: 300 })];
  app.delete('/users', { onRequest: sensitive }, async () => 'deleted');
  await app.register(async (child) => {
    child.get('/child', { onRequest: requires('leads:read') }, async (request) => identityOf(request).role);
  });
});
afterAll(async () => {
  await app.close();
  await issuer.close();
});

const send = async (url: string, claims?: TestClaims, method: 'GET' | 'DELETE' = 'GET') => {
  const headers = claims ? { authorization: `Bearer ${await issuer.token(claims)}` } : {};
  return app.inject({ method, url, headers });
};
const old = Math.floor(Date.now() / 1000) - 301;

describe('the Fastify plugin', () => {
  it('guards no route by itself', async () => {
    expect((await send('/public')).json()).toEqual({ identity: null });
  });

  it('has no identity for a public route: asking for one fails and says why', async () => {
    const response = await send('/nobody', { role: 'owner' });
    expect(response.statusCode).toBe(500);
    expect(response.body).toContain('This route is public');
  });

  it('gives an organization to a route that asks for it, or answers that none is active', async () => {
    expect((await send('/organization', { organizationId: 'o-1' })).body).toBe('o-1');
    const nowhere = await send('/organization', { organizationId: null });
    expect([nowhere.statusCode, nowhere.json<{ code: string }>().code]).toEqual([
      403,
      'NO_ACTIVE_ORGANIZATION',
    ]);
  });

  it('gives the identity to a guarded route', async () => {
    expect((await send('/me', { sub: 'user-1' })).json()).toMatchObject({ userId: 'user-1' });
    expect((await send('/leads', { organizationId: 'o-1' })).body).toBe('o-1');
  });

  it('gives it to the routes of registered plugins as well', async () => {
    expect((await send('/child', { role: 'admin' })).body).toBe('admin');
    expect((await send('/child')).statusCode).toBe(401);
  });

  it('answers 401 with the challenge when nobody is signed in', async () => {
    const response = await send('/me');
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    expect(response.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('answers 403 without the permission, and without an organization', async () => {
    expect((await send('/users', { role: 'member' }, 'DELETE')).json()).toMatchObject({
      statusCode: 403,
      code: 'FORBIDDEN',
    });
    expect((await send('/leads', { organizationId: null })).json()).toMatchObject({
      statusCode: 403,
      code: 'NO_ACTIVE_ORGANIZATION',
    });
    expect((await send('/me', { organizationId: null })).statusCode).toBe(200);
  });

  it('asks for a recent second factor, after the permission', async () => {
    expect((await send('/users', { role: 'admin' }, 'DELETE')).body).toBe('deleted');
    const response = await send('/users', { role: 'admin', auth_time: old, amr: ['pwd', 'otp'] }, 'DELETE');
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toContain('max_age="300"');
    expect((await send('/users', { role: 'member', auth_time: old }, 'DELETE')).statusCode).toBe(403);
  });

  it('keeps the identities of a thousand requests at once apart', async () => {
    const subjects = Array.from({ length: 1000 }, (_, n) => `user-${n}`);
    const answers = await Promise.all(subjects.map((sub) => send('/me', { sub })));
    expect(answers.map((answer) => answer.json<{ userId: string }>().userId)).toEqual(subjects);
  });

  it('verifies with a key that must be fetched first', async () => {
    const away = await createTestIssuer({ server: true });
    const late = Fastify();
    await late.register(jwtVerify, { verifier: away.verifier() });
    late.get('/me', { onRequest: signedIn }, async (request) => identityOf(request).userId);
    const token = await away.token({ sub: 'user-1' });
    const response = await late.inject({ url: '/me', headers: { authorization: `Bearer ${token}` } });
    expect(response.body).toBe('user-1');
    const forged = await away.token({}, { kid: 'forged' });
    const refused = await late.inject({ url: '/me', headers: { authorization: `Bearer ${forged}` } });
    expect(refused.statusCode).toBe(401);
    await late.close();
    await away.close();
  });

  it('refuses writes and not reads while nothing is heard of revocations', async () => {
    const stale = Fastify();
    const verifier = issuer.verifier({ revocations: 'http://127.0.0.1:1/feed' });
    await stale.register(jwtVerify, { verifier });
    stale.get('/', { onRequest: signedIn }, async () => 'read');
    stale.post('/', { onRequest: signedIn }, async () => 'written');
    const headers = { authorization: `Bearer ${await issuer.token()}` };
    expect((await stale.inject({ method: 'GET', url: '/', headers })).body).toBe('read');
    const write = await stale.inject({ method: 'POST', url: '/', headers });
    expect(write.statusCode).toBe(503);
    expect(write.headers['retry-after']).toBe('5');
    await stale.close();
  });
});

describe('a mistake of the programmer', () => {
  it('a misspelt permission stops the boot', () => {
    expect(() => requires('leads:wrtie' as 'leads:write')).toThrow("No permission is named 'leads:wrtie'");
  });

  it('a hook without the plugin refuses and says what to do', async () => {
    const bare = Fastify();
    bare.get('/', { onRequest: signedIn }, async () => 'never');
    const response = await bare.inject('/');
    expect(response.statusCode).toBe(500);
    expect(response.body).toContain('Register the plugin jwtVerify');
    await bare.close();
  });
});

describe('the hooks of jwtAccess', () => {
  it('work in a framework of routes that declare their access, without the plugin', async () => {
    const access = jwtAccess(issuer.verifier());
    const service = Fastify();
    service.get('/me', { onRequest: access.signedIn }, async (request) => identityOf(request).userId);
    service.get('/admin', { onRequest: access.requires('audit:read') }, async () => 'audit');
    const as = async (claims: TestClaims) => ({ authorization: `Bearer ${await issuer.token(claims)}` });
    expect((await service.inject({ url: '/me', headers: await as({ sub: 'u' }) })).body).toBe('u');
    expect((await service.inject({ url: '/admin', headers: await as({ role: 'member' }) })).statusCode).toBe(
      403,
    );
    expect((await service.inject({ url: '/admin', headers: await as({ role: 'owner' }) })).body).toBe(
      'audit',
    );
    expect(() => access.requires('no:such' as 'leads:read')).toThrow('No permission');
    await service.close();
  });
});
