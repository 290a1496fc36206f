import { randomUUID } from 'node:crypto';
import { permissions } from '@tenantry/contracts';
import { createVerifier } from '@tenantry/jwt-verify';
import { jwtAccess } from '@tenantry/jwt-verify/fastify';
import { createService, type Service } from '@tenantry/service/http';
import { createLogger } from '@tenantry/service/logging';
import { SoftwareAuthenticator, testLog } from '@tenantry/test-kit';
import type { JSONWebKeySet } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import {
  claimsOf,
  newEmail,
  password,
  send,
  signIn,
  signUp,
  type Answer,
  type SignedUp,
} from './support/client.ts';
import { Browser } from './support/browser.ts';
import { letterData } from './support/mail.ts';
import { personalOrganizationOf, prove } from './support/organizations.ts';
import {
  challengeOf,
  enrol,
  nextCode,
  startByClock,
  verifyBackupCode,
  verifyTotp,
} from './support/two-factor.ts';

const origin = 'https://app.example.com';
const service = await startByClock({
  settings: {
    FRONTEND_URL: origin,
    PASSKEY_RP_ID: 'app.example.com',
    MAILED_SIGN_IN: 'true',
    TRUST_PROXY: '127.0.0.1',
  },
});
const { app, clock, config, sql } = service;

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
  test('is allowed within 300 s of the second factor, and not a second later [S-32]', async () => {
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
  ] as const)('is allowed after %s, in a session with a new id [S-60]', async (_what, verify, amr) => {
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

  test('refuses a wrong password that comes with it, however recent the second factor [S-32]', async () => {
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
  test('is allowed within 300 s of the sign-in; after that it requires the password [S-32]', async () => {
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

  test('exports an organization within 300 s of the sign-in, and after that asks for another [S-294]', async () => {
    const ada = await signUp(app);
    const request = `GET /organization/${personalOrganizationOf(ada)}/export?mode=check` as const;
    clock.advance({ seconds: 298 });
    expect((await send(app, request, { token: ada.token })).status).toBe(204);
    clock.advance({ seconds: 4 });
    const refused = await send(app, request, { token: ada.token });
    expectStepUp(refused);
    expect(refused.body.reason).toBe('SIGN_IN_REQUIRED');
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

type Headers = Readonly<Record<string, string>>;
const phone: Headers = { 'x-device-id': 'adas-phone', 'user-agent': 'App/1' };
const thief: Headers = { 'x-device-id': 'a-thief-0001', 'user-agent': 'App/1' };
const elsewhere: readonly Headers[] = [
  thief,
  { 'user-agent': 'App/1' },
  { 'user-agent': 'curl/8', 'x-forwarded-for': '203.0.113.9' },
];

/** A request that concerns a way into the account or an organization of the user, valid as far as it can be without a proof. */
type Attempt = readonly [request: string, body: () => object];

const created = () =>
  new SoftwareAuthenticator({ rpId: 'app.example.com', origin }).create({
    challenge: 'A'.repeat(43),
    user: { id: 'A'.repeat(22) },
  });
const visit = { provider: 'company-idp', redirectTo: `${origin}/account`, codeChallenge: 'A'.repeat(43) };
const empty = () => ({});
const waysIn: readonly Attempt[] = [
  ['POST /passkeys/options', empty],
  ['POST /passkeys', () => ({ response: created() })],
  ['DELETE /passkeys/{id}', empty],
  ['POST /identities/link', () => visit],
  ['POST /identities', () => ({ ticket: `tst_${'A'.repeat(43)}` })],
  ['DELETE /identities/{id}', empty],
  ['POST /email/change', () => ({ newEmail: newEmail() })],
  ['POST /two-factor/backup-codes', empty],
  ['DELETE /password', empty],
  ['DELETE /user', empty],
  [
    'POST /organization/{organizationId}/service-accounts/{accountId}/keys',
    () => ({ name: 'Server', expiresAt: new Date(clock() + 60_000).toISOString() }),
  ],
  ['PATCH /organization/{organizationId}/service-accounts/{accountId}', () => ({ role: 'admin' })],
  ['POST /organization/{organizationId}/domains', () => ({ domain: 'acme.example', joins: 'member' })],
  ['PATCH /organization/{organizationId}/domains/{domainId}', () => ({ joins: 'member' })],
  ['PATCH /organization/{organizationId}/connections/{connectionId}', () => ({ name: 'IdP' })],
  ['PUT /organization/{organizationId}/sso-requirement', () => ({ required: false })],
  [
    'POST /organization/{organizationId}/connections/{connectionId}/link',
    () => ({ redirectTo: visit.redirectTo, codeChallenge: 'x'.repeat(43) }),
  ],
  [
    'POST /organization/{organizationId}/connections/{connectionId}/identity',
    () => ({ ticket: `tst_${'A'.repeat(43)}` }),
  ],
  ['POST /organization/{organizationId}/connections/{connectionId}/scim-tokens', () => ({})],
  [
    'PATCH /organization/{organizationId}/connections/{connectionId}/groups/{groupId}',
    () => ({ role: 'admin' }),
  ],
];

/** Sensitive operations for which a recent proof counts on every device, and why that is enough. */
const anywhere: Readonly<Record<string, string>> = {
  'DELETE /sessions': 'it ends sessions, which defends an account',
  'POST /password/change': 'it takes the current password in any case',
  'DELETE /organization/{organizationId}': 'no way into an account',
  'PATCH /organization/{organizationId}': 'no way into an account',
  'GET /organization/{organizationId}/export': 'no way into an account, and as in the other services',
  'POST /organization/{organizationId}/invitations': 'by role',
  'PATCH /organization/{organizationId}/members/{userId}': 'by role',
  'DELETE /organization/{organizationId}/members/{userId}': 'by role',
  'DELETE /organization/{organizationId}/service-accounts/{accountId}': 'by role, and it ends access',
  'DELETE /organization/{organizationId}/domains/{domainId}': 'by role, and it ends access',
  'DELETE /organization/{organizationId}/service-accounts/{accountId}/keys/{keyId}':
    'by role, and it ends access',
  'POST /organization/{organizationId}/connections/{connectionId}/test': 'it reads what others say',
  'DELETE /organization/{organizationId}/connections/{connectionId}': 'by role, and it ends access',
  'DELETE /organization/{organizationId}/connections/{connectionId}/identity':
    'it ends a way in, of the caller alone',
  'DELETE /organization/{organizationId}/connections/{connectionId}/scim-tokens/{tokenId}':
    'by role, and it ends access',
  'POST /organization/{organizationId}/members/{userId}/disable': 'by role',
  'POST /organization/{organizationId}/members/{userId}/enable': 'by role',
  'POST /organization/{organizationId}/members/{userId}/reset-two-factor': 'by role',
};

/** The operations that may require a recent authentication, from the document. */
async function sensitiveOperations(): Promise<readonly string[]> {
  const { paths, components } = (await app.inject('/api/auth/openapi.json')).json<{
    paths: Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>;
    components: { responses: Record<string, object> };
  }>();
  const refusals = ({ $ref, ...inline }: { $ref?: string } = {}) =>
    JSON.stringify($ref === undefined ? inline : components.responses[$ref.split('/').at(-1) ?? '']);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) =>
        refusals(responses['401']).includes('"INSUFFICIENT_USER_AUTHENTICATION.'),
      )
      .map(([method]) => `${method.toUpperCase()} ${path.replace('/api/auth', '')}`),
  );
}

const attempt = (
  [request, body]: Attempt,
  { token }: Pick<SignedUp, 'token'>,
  { headers = phone, ...given }: { headers?: Headers; password?: string } = {},
) => {
  const sent = { ...body(), ...given };
  const organizationId = personalOrganizationOf({ token });
  const line = request
    .replace('{organizationId}', organizationId)
    .replaceAll(/{id}|{accountId}|{domainId}|{connectionId}|{groupId}|{tokenId}/g, () => randomUUID());
  return send(app, line, { token, headers, ...(Object.keys(sent).length > 0 && { body: sent }) });
};

async function withSecondFactor(): Promise<SignedUp> {
  const ada = await signUp(app, 'Ada Lovelace', phone);
  const { token } = ada;
  const begun = await send(app, 'POST /two-factor/enable', { token, body: { password }, headers: phone });
  const code = nextCode(begun.body.secret, clock);
  const { session } = (await verifyTotp(app, { token, code, headers: phone })).body;
  return { ...ada, token: session.token };
}

async function withoutPassword(): Promise<SignedUp> {
  const ada = await signUp(app, 'Ada Lovelace', phone);
  await prove(service, ada);
  await sql('DELETE FROM credentials WHERE user_id = $1', [ada.id]);
  return ada;
}

const isAsked = ({ body }: Answer) =>
  (body as { code?: string } | undefined)?.code === 'INSUFFICIENT_USER_AUTHENTICATION';

describe('a copied access token, within minutes of the sign-in', () => {
  test('leads to no way in: every sensitive operation is decided [S-36]', async () => {
    const decided = [...waysIn.map(([request]) => request), ...Object.keys(anywhere)];
    expect((await sensitiveOperations()).toSorted()).toEqual(decided.toSorted());
  });

  describe.each([
    ['with a password', () => signUp(app, 'Ada Lovelace', phone), 'PASSWORD_REQUIRED'],
    ['with a second factor', withSecondFactor, 'PASSWORD_REQUIRED'],
    ['without a password', withoutPassword, 'SIGN_IN_REQUIRED'],
  ] as const)('of a user %s', (_, begin, reason) => {
    test.each(waysIn)(
      'is refused on another device, and taken on its own: %s [S-36, S-93]',
      async (...operation) => {
        const ada = await begin();
        for (const headers of elsewhere) {
          const refused = await attempt(operation, ada, { headers });
          expectStepUp(refused);
          expect(refused.body.reason).toBe(reason);
        }
        expect(isAsked(await attempt(operation, ada))).toBe(false);
      },
    );
  });

  test.each(waysIn)('is taken elsewhere with the password alone: %s [S-36]', async (...operation) => {
    const headers = thief;
    for (const ada of [await signUp(app, 'Ada Lovelace', phone), await withSecondFactor()]) {
      const wrong = await attempt(operation, ada, { headers, password: 'not the password' });
      expect([wrong.status, wrong.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
      expect(isAsked(await attempt(operation, ada, { headers, password }))).toBe(false);
    }
  });

  test('ends sessions anywhere', async () => {
    const { token } = await signUp(app, 'Ada Lovelace', phone);
    const ended = await send(app, 'DELETE /sessions?scope=others', { token, headers: thief });
    expect(ended.status).toBe(200);
  });
});

describe('a recent sign-in goes on counting', () => {
  const options: Attempt = ['POST /passkeys/options', empty];

  test('for an app that names its device, after an update and in another network', async () => {
    const ada = await signUp(app, 'Ada Lovelace', phone);
    const headers = { ...phone, 'user-agent': 'App/2', 'x-forwarded-for': '203.0.113.9' };
    expect((await attempt(options, ada, { headers })).status).toBe(200);
  });

  test('for a browser that was updated, in another network [S-36]', async () => {
    const browser = new Browser(app);
    const body = { email: newEmail(), password, name: 'Ada' };
    expect((await browser.send('POST /sign-up/email', { body })).status).toBe(201);
    const headers = { 'user-agent': 'Firefox/141' };
    expect((await browser.sendSafely(options[0], { headers })).status).toBe(200);
  });

  test('for a program that names no device, at its address [S-36]', async () => {
    const unnamed = { 'user-agent': 'Script/1', 'x-forwarded-for': '203.0.113.7' };
    const ada = await signUp(app, 'Ada Lovelace', unnamed);
    const updated = { ...unnamed, 'user-agent': 'Script/2' };
    expect((await attempt(options, ada, { headers: updated })).status).toBe(200);
    const moved = await attempt(options, ada, { headers: { ...unnamed, 'x-forwarded-for': '203.0.113.8' } });
    expect([moved.status, moved.body.reason]).toEqual([401, 'PASSWORD_REQUIRED']);
  });

  test('on another device after a sign-in there, from the session, of a user without a password', async () => {
    const ada = await withoutPassword();
    const headers = { 'x-device-id': 'adas-laptop' };
    const sent = { token: ada.token, headers };
    const asked = await send(app, 'POST /sign-in/mailed', { ...sent, body: { email: ada.email } });
    const { code } = await letterData(service, ada.email, 'sign-in-code');
    const body = { requestId: asked.body.request.id, code };
    const { session } = (await send(app, 'POST /sign-in/mailed/verify', { ...sent, body })).body;
    expect((await attempt(options, session, { headers })).status).toBe(200);
  });
});

describe('a business service, from the token alone', () => {
  test('asks for a recent second factor, and takes the token of after the step-up [S-32]', async () => {
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

/** A service as any team builds one: libs/service, the library, the published keys, and no way to ask auth-service. */
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
