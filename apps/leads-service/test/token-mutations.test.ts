import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createVerifier } from '@tenantry/jwt-verify';
import { createLogger } from '@tenantry/service-kit';
import {
  createTestDatabase,
  mutatedAccessTokens,
  signedToken,
  testLog,
  type TokenParts,
} from '@tenantry/test-kit';
import { afterAll, describe, expect, it } from 'vitest';
import { buildApp } from '../src/app.ts';
import { openDatabase } from '../src/database.ts';

const issuer = 'https://auth.test/api/auth';
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const now = Math.floor(Date.now() / 1_000);
const parts: TokenParts = {
  header: { alg: 'ES256', kid: 'signing', typ: 'at+jwt' },
  claims: {
    iss: issuer,
    aud: 'tenantry',
    sub: randomUUID(),
    sid: randomUUID(),
    email: 'robin@example.com',
    name: 'Robin',
    organizationId: randomUUID(),
    organizationName: 'Example',
    role: 'member',
    amr: ['pwd'],
    auth_time: now,
    iat: now,
    exp: now + 900,
  },
  privateKey,
  publicKey,
};

const testDatabase = await createTestDatabase('leads-service');
const logger = createLogger({ name: 'leads-service', level: 'trace', destination: testLog() });
const app = await buildApp({
  config: { NODE_ENV: 'test', TRUST_PROXY: [] },
  database: openDatabase(
    { DATABASE_URL: testDatabase.runtimeUrl, DATABASE_POOL_SIZE: 2, TENANT_BINDING: 'connection' },
    logger,
  ),
  verifier: createVerifier({
    issuer,
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'signing', alg: 'ES256', use: 'sig' }] },
  }),
  logger,
  version: '1.2.3',
});
afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});

const send = (method: 'GET' | 'POST', token: string) =>
  app.inject({
    method,
    url: '/api/leads',
    headers: { authorization: `Bearer ${token}` },
    ...(method === 'POST' ? { payload: { name: 'Ada', email: 'ada@example.com' } } : {}),
  });

describe('an access token', () => {
  it('is accepted unchanged, so that each refusal is due to its one change', async () => {
    expect((await send('GET', signedToken(parts))).statusCode).toBe(200);
  });

  it.each(mutatedAccessTokens(parts))('is refused with %s', async (_change, token) => {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await send(method, token);
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ data: null, error: { code: 'UNAUTHENTICATED' } });
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    }
  });

  it('of more than fifty mutations has let nobody write', async () => {
    expect(mutatedAccessTokens(parts).length).toBeGreaterThan(50);
    const { meta } = (await send('GET', signedToken(parts))).json<{ meta: { total: number } }>();
    expect(meta.total).toBe(0);
  });
});
