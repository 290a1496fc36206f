import { permissions } from '@tenantry/contracts';
import { createVerifier } from '@tenantry/jwt-verify';
import { jwtAccess } from '@tenantry/jwt-verify/fastify';
import { createLogger, createService, type Service } from '@tenantry/service-kit';
import { testLog } from '@tenantry/test-kit';
import type { JSONWebKeySet } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { claimsOf, password, send, signIn, signUp, type Answer } from './support/client.ts';
import {
  challengeOf,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
} from './support/two-factor.ts';

const { app, clock, config } = await startByClock();

const challengeOfRfc9470 =
  /^Bearer error="insufficient_user_authentication", error_description="[^"]+", acr_values="aal[12]", max_age="300"$/;

function expectStepUp({ status, body, headers }: Answer): void {
  expect([status, body.code]).toEqual([401, 'INSUFFICIENT_USER_AUTHENTICATION']);
  expect(headers['www-authenticate']).toMatch(challengeOfRfc9470);
}

const renew = (token: string) => send(app, 'POST /two-factor/backup-codes', { token });
const endSessions = (token: string, scope: string, body?: unknown) =>
  send(app, `DELETE /sessions?scope=${scope}`, { token, ...(body === undefined ? {} : { body }) });

describe('a sensitive operation of a user with a second factor', () => {
  test('is allowed within 300 s of the second factor, and not a second later', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ seconds: 300 });
    expect((await renew(ada.token)).status).toBe(200);
    clock.advance({ seconds: 1 });
    expectStepUp(await renew(ada.token));
    for (const scope of ['others', 'all']) expectStepUp(await endSessions(ada.token, scope));
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);
  });

  test.each([
    ['a code', verifyTotp, ['pwd', 'otp']],
    ['a backup code', verifyBackupCode, ['pwd', 'backup']],
  ] as const)('is allowed after %s, in a session with a new id', async (_what, verify, amr) => {
    const ada = await enrol(app, clock);
    clock.advance({ minutes: 10 });
    expectStepUp(await renew(ada.token));
    const code = verify === verifyTotp ? nextCode(ada.secret, clock) : ada.backupCodes[0]!;
    const stepped = await verify(app, { token: ada.token, refreshToken: ada.refreshToken, code });
    expect(stepped.status).toBe(200);
    const { id, token, refreshToken, expiresAt } = stepped.body.session;
    expect(claimsOf(token)).toMatchObject({ amr, auth_time: Math.floor(clock() / 1_000), sid: id });
    expect(id).not.toBe(ada.sessionId);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
    expect(Date.parse(expiresAt)).toBeLessThan(clock() + 7 * 24 * 60 * 60_000 - 9 * 60_000);
    expect((await renew(token)).status).toBe(200);

    // The session keeps the moment: a refresh neither renews nor loses it.
    clock.advance({ minutes: 6 });
    const refreshed = await send(app, 'POST /refresh', { body: { refreshToken } });
    expect(claimsOf(refreshed.body.session.token)).toMatchObject({
      amr,
      auth_time: Math.floor(clock() / 1_000) - 360,
    });
    expectStepUp(await renew(refreshed.body.session.token));
  });

  test('refuses a wrong password that comes with it, however recent the second factor', async () => {
    const ada = await enrol(app, clock);
    const wrong = { token: ada.token, body: { password: 'not the password' } };
    const asked = ['DELETE /user', 'DELETE /sessions?scope=all'] as const;
    for (const request of asked) {
      const { status, body } = await send(app, request, wrong);
      expect([status, body.code, body.details]).toEqual([
        401,
        'INVALID_CREDENTIALS',
        [{ field: 'password', rule: 'credential', message: 'is not right' }],
      ]);
    }
    expect((await signIn(app, ada.email)).status).toBe(200);
    const right = { token: ada.token, body: { password } };
    expect((await send(app, 'DELETE /user', right)).status).toBe(204);
  });

  test('asks for the second factor, however recent the password', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ minutes: 10 });
    for (const scope of ['others', 'all']) expectStepUp(await endSessions(ada.token, scope, { password }));
  });

  test('asks it of one session by what that session has shown, and not by what another has', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ minutes: 10 });
    const challengeToken = await challengeOf(app, ada.email);
    const other = await verifyTotp(app, { challengeToken, code: nextCode(ada.secret, clock) });
    expect(other.status).toBe(200);
    expectStepUp(await renew(ada.token));
  });
});

describe('a sensitive operation of a user without a second factor', () => {
  test('is allowed within 300 s of the sign-in; after that it requires the password', async () => {
    const ada = await signUp(app);
    clock.advance({ seconds: 300 });
    expect((await endSessions(ada.token, 'others')).status).toBe(200);
    clock.advance({ seconds: 1 });
    expectStepUp(await endSessions(ada.token, 'others'));
    const wrong = await endSessions(ada.token, 'others', { password: 'not the password' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect((await endSessions(ada.token, 'others', { password })).status).toBe(200);
    expect((await endSessions(ada.token, 'all', { password })).body).toEqual({ revoked: 1 });
  });

  test('asks for the password before an organization ends', async () => {
    const ada = await signUp(app);
    const body = { name: 'Analytical Engines', slug: `engines-${ada.id.slice(-12)}` };
    const founded = await send(app, 'POST /organization/create', { token: ada.token, body });
    const { id } = (founded.body as unknown as { organization: { id: string } }).organization;
    const remove = (given?: unknown) =>
      send(app, `DELETE /organization/${id}`, {
        token: ada.token,
        ...(given !== undefined && { body: given }),
      });
    clock.advance({ seconds: 301 });
    expectStepUp(await remove());
    expect((await remove()).body.reason).toBe('PASSWORD_REQUIRED');
    expect((await remove({ password: 'not the password' })).body.code).toBe('INVALID_CREDENTIALS');
    expect((await send(app, `GET /organization/${id}`, { token: ada.token })).status).toBe(200);
    expect((await remove({ password })).status).toBe(200);
    expect((await send(app, `GET /organization/${id}`, { token: ada.token })).status).toBe(404);
  });

  test('has no backup codes to renew', async () => {
    const { token } = await signUp(app);
    const none = await renew(token);
    expect([none.status, none.body.code]).toEqual([409, 'TWO_FACTOR_NOT_ENABLED']);
  });

  test('goes by the password again once the second factor is disabled', async () => {
    const ada = await enrol(app, clock);
    clock.advance({ minutes: 10 });
    const body = { password, code: nextCode(ada.secret, clock) };
    expect((await send(app, 'POST /two-factor/disable', { token: ada.token, body })).status).toBe(200);
    expectStepUp(await endSessions(ada.token, 'others'));
    expect((await endSessions(ada.token, 'others', { password })).status).toBe(200);
  });
});

describe('a business service, from the token alone', () => {
  test('asks for a recent second factor, and takes the token of after the step-up', async () => {
    const business = await businessService();
    const remove = (token: string) => send(business, 'DELETE /api/machines/1', { token });
    const ada = await enrol(app, clock);
    expect((await remove(ada.token)).status).toBe(204);

    clock.advance({ minutes: 6 });
    const refused = await business.inject({
      method: 'DELETE',
      url: '/api/machines/1',
      headers: { authorization: `Bearer ${ada.token}` },
    });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['www-authenticate']).toMatch(challengeOfRfc9470);
    expect(refused.json()).toMatchObject({
      data: null,
      error: { code: 'INSUFFICIENT_USER_AUTHENTICATION' },
    });

    const code = nextCode(ada.secret, clock);
    const stepped = await verifyTotp(app, { token: ada.token, code });
    expect((await remove(stepped.body.session.token)).status).toBe(204);
  });

  test('takes a recent password of a user who has no second factor', async () => {
    const business = await businessService();
    const remove = (token: string) => send(business, 'DELETE /api/machines/1', { token });
    const ada = await signUp(app);
    expect((await remove(ada.token)).status).toBe(204);
    clock.advance({ minutes: 6 });
    expect((await remove(ada.token)).status).toBe(401);
    const { token } = (await signIn(app, ada.email)).body.session;
    expect((await remove(token)).status).toBe(204);
  });
});

/** A service as any team builds one: the kit, the library, the published keys, and no way to ask auth-service. */
async function businessService(): Promise<Service> {
  const jwks = (await send(app, 'GET /jwks')).body as unknown as JSONWebKeySet;
  const verifier = createVerifier({ issuer: config.AUTH_URL, jwks, revocations: false, clock });
  const access = jwtAccess(verifier, { permissions });
  const service = await createService({
    name: 'machines-service',
    version: '0.0.0-test',
    logger: createLogger({ name: 'machines-service', level: 'trace', destination: testLog() }),
    failures: 'envelope',
    access,
  });
  service.delete(
    '/api/machines/:id',
    {
      config: { access: 'leads:write' },
      onRequest: access.requiresRecentFactor({ maxAgeSeconds: 300, clock }),
    },
    async (_request, reply) => reply.code(204).send(),
  );
  await service.ready();
  afterAll(() => service.close());
  return service;
}
