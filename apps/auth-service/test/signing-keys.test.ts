import { canarySecret, createTestDatabase } from '@tenantry/test-kit';
import { createVerifier } from '@tenantry/jwt-verify';
import type { JSONWebKeySet } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { anyString, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const newSecret = canarySecret;

describe('GET /jwks', () => {
  test.each(['/api/auth/jwks', '/api/auth/.well-known/jwks.json', '/.well-known/jwks.json'])(
    'is answered at %s, cacheable, with the public half alone',
    async (path) => {
      const { app } = await startService();
      const { status, body, headers } = await send(app, `GET ${path}`);
      expect(status).toBe(200);
      expect(body).toEqual({
        keys: [
          { kty: 'EC', crv: 'P-256', x: anyString, y: anyString, kid: anyString, use: 'sig', alg: 'ES256' },
        ],
      });
      expect(headers['cache-control']).toBe('public, max-age=15');
    },
  );

  test('is all that a verifier needs to read a token', async () => {
    const { app, config } = await startService();
    const ada = await signUp(app);
    const jwks = (await send(app, 'GET /jwks')).body as unknown as JSONWebKeySet;
    const verifier = createVerifier({ issuer: config.AUTH_URL, jwks, revocations: false });

    const identity = await verifier.verify(ada.token);
    expect(identity).toMatchObject({
      userId: ada.id,
      email: ada.email,
      name: ada.name,
      organizationName: "Ada Lovelace's organization",
      role: 'owner',
      sessionId: ada.sessionId,
      factors: ['pwd'],
    });
    expect(identity.expiresAt - identity.issuedAt).toBe(900);
    verifier.close();
  });
});

describe('the signing key', () => {
  test('is one, however many instances start on an empty database', async () => {
    const database = await createTestDatabase('auth-service');
    afterAll(() => database.drop());
    const settings = { AUTH_SECRET: newSecret() };
    const services = await Promise.all(
      Array.from({ length: 10 }, () => startService({ database, settings })),
    );
    const answers = await Promise.all(services.map(({ app }) => send(app, 'GET /jwks')));
    const [first, ...others] = answers.map(({ body }) => body.keys);

    expect(first).toHaveLength(1);
    for (const keys of others) expect(keys).toEqual(first);
    // A token of one instance counts at another.
    const ada = await signUp(services[0]!.app);
    expect((await send(services[9]!.app, 'GET /session', { token: ada.token })).status).toBe(200);
  });

  test('is one after ten parallel first requests to one instance', async () => {
    const { app, sql } = await startService();
    await Promise.all(Array.from({ length: 10 }, () => send(app, 'GET /jwks')));
    expect(await sql('SELECT kid FROM signing_keys')).toHaveLength(1);
  });
});

describe('a rotated AUTH_SECRET', () => {
  test('keeps tokens and passwords valid, and renews what the previous one protects', async () => {
    const database = await createTestDatabase('auth-service');
    afterAll(() => database.drop());
    const [oldSecret, secret] = [newSecret(), newSecret()];
    const before = await startService({ database, settings: { AUTH_SECRET: oldSecret } });
    const ada = await signUp(before.app);

    const during = await startService({
      database,
      settings: { AUTH_SECRET: secret, AUTH_SECRET_PREVIOUS: `${newSecret()}, ${oldSecret}` },
    });
    expect((await send(during.app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect((await signIn(during.app, ada.email)).status).toBe(200);

    // By now nothing needs the previous secret any more.
    const after = await startService({ database, settings: { AUTH_SECRET: secret } });
    expect((await send(after.app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect((await signIn(after.app, ada.email)).status).toBe(200);
    expect(after.logs()).not.toContain('AUTH_SECRET_PREVIOUS');
  });

  test('that was not kept as previous stops the start: no new key slips in [S-183]', async () => {
    const database = await createTestDatabase('auth-service');
    afterAll(() => database.drop());
    const before = await startService({ database, settings: { AUTH_SECRET: newSecret() } });
    const ada = await signUp(before.app);

    await expect(startService({ database, settings: { AUTH_SECRET: newSecret() } })).rejects.toThrow(
      'add that secret to AUTH_SECRET_PREVIOUS',
    );
    expect((await send(before.app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect(await before.sql('SELECT kid FROM signing_keys')).toHaveLength(1);
  });
});
