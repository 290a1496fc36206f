import { describe, expect, test } from 'vitest';
import { password, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const { app } = await startService();
const ada = await signUp(app);

const routes = ['/sign-up/email', '/sign-in/email', '/organization/create', '/organization/switch'];
const post = (route: string, payload: string | Buffer, contentType = 'application/json') =>
  app.inject({
    method: 'POST',
    url: `/api/auth${route}`,
    headers: { 'content-type': contentType, authorization: `Bearer ${ada.token}` },
    payload,
  });

describe.each(routes)('POST %s', (route) => {
  test.each([
    ['no body', ''],
    ['cut off', '{"email":'],
    ['no object', '[]'],
    ['null', 'null'],
    ['a number', '7'],
    ['a text', '"email"'],
    ['a key named __proto__', '{"__proto__":{"role":"owner"}}'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['nested a thousand deep', '['.repeat(1_000) + ']'.repeat(1_000)],
  ])('answers 400 to %s', async (_case, payload) => {
    const answer = await post(route, payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      requestId: answer.headers['x-request-id'],
    });
  });

  test('answers 413 to a body over 64 KiB', async () => {
    const answer = await post(route, JSON.stringify({ name: 'x'.repeat(70_000) }));
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'answers 415 to %s, which any web page may send [S-127]',
    async (contentType) => {
      const answer = await post(route, JSON.stringify({ email: 'a@example.com', password }), contentType);
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    },
  );

  test('answers 405 to another method', async () => {
    const answer = await app.inject({ method: 'PUT', url: `/api/auth${route}` });
    expect(answer.statusCode).toBe(405);
    expect(String(answer.headers['allow']).split(', ')).toContain('POST');
  });
});

test('an unknown path under the prefix is 404 in the plain shape', async () => {
  const answer = await app.inject('/api/auth/two-factor/nothing');
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toEqual({
    code: 'NOT_FOUND',
    message: 'There is nothing at this path.',
    requestId: answer.headers['x-request-id'],
  });
});

test('OpenAPI describes exactly the routes that are answered', async () => {
  const answer = await app.inject('/api/auth/openapi.json');
  expect(answer.statusCode).toBe(200);
  const { openapi, paths } = answer.json<{ openapi: string; paths: Record<string, object> }>();
  expect(openapi).toMatch(/^3\.1/);
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.filter((route) => route.includes('/api/auth')).sort()).toEqual([
    'DELETE /api/auth/identities/{id}',
    'DELETE /api/auth/organization/{organizationId}',
    'DELETE /api/auth/organization/{organizationId}/connections/{connectionId}',
    'DELETE /api/auth/organization/{organizationId}/connections/{connectionId}/identity',
    'DELETE /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens/{tokenId}',
    'DELETE /api/auth/organization/{organizationId}/domains/{domainId}',
    'DELETE /api/auth/organization/{organizationId}/invitations/{invitationId}',
    'DELETE /api/auth/organization/{organizationId}/logo',
    'DELETE /api/auth/organization/{organizationId}/members/{userId}',
    'DELETE /api/auth/organization/{organizationId}/service-accounts/{accountId}',
    'DELETE /api/auth/organization/{organizationId}/service-accounts/{accountId}/keys/{keyId}',
    'DELETE /api/auth/passkeys/{id}',
    'DELETE /api/auth/password',
    'DELETE /api/auth/sessions',
    'DELETE /api/auth/sessions/{id}',
    'DELETE /api/auth/user',
    'GET /api/auth/.well-known/jwks.json',
    'GET /api/auth/audit',
    'GET /api/auth/csrf',
    'GET /api/auth/health',
    'GET /api/auth/invitations/{token}',
    'GET /api/auth/jwks',
    'GET /api/auth/organization/joinable',
    'GET /api/auth/organization/list',
    'GET /api/auth/organization/permissions',
    'GET /api/auth/organization/{organizationId}',
    'GET /api/auth/organization/{organizationId}/audit',
    'GET /api/auth/organization/{organizationId}/connections',
    'GET /api/auth/organization/{organizationId}/connections/{connectionId}',
    'GET /api/auth/organization/{organizationId}/connections/{connectionId}/arrivals',
    'GET /api/auth/organization/{organizationId}/connections/{connectionId}/groups',
    'GET /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens',
    'GET /api/auth/organization/{organizationId}/domains',
    'GET /api/auth/organization/{organizationId}/export',
    'GET /api/auth/organization/{organizationId}/invitations',
    'GET /api/auth/organization/{organizationId}/logo',
    'GET /api/auth/organization/{organizationId}/members',
    'GET /api/auth/organization/{organizationId}/service-accounts',
    'GET /api/auth/organization/{organizationId}/sso-requirement',
    'GET /api/auth/organization/{organizationId}/usage',
    'GET /api/auth/session',
    'GET /api/auth/sessions',
    'GET /api/auth/start',
    'GET /api/auth/two-factor',
    'GET /api/auth/user',
    'GET /api/auth/ways-in',
    'PATCH /api/auth/organization/{organizationId}',
    'PATCH /api/auth/organization/{organizationId}/connections/{connectionId}',
    'PATCH /api/auth/organization/{organizationId}/connections/{connectionId}/groups/{groupId}',
    'PATCH /api/auth/organization/{organizationId}/domains/{domainId}',
    'PATCH /api/auth/organization/{organizationId}/members/{userId}',
    'PATCH /api/auth/organization/{organizationId}/service-accounts/{accountId}',
    'PATCH /api/auth/user',
    'POST /api/auth/email/change',
    'POST /api/auth/email/resend',
    'POST /api/auth/email/verify',
    'POST /api/auth/identities',
    'POST /api/auth/identities/link',
    'POST /api/auth/invitations/accept',
    'POST /api/auth/invitations/reject',
    'POST /api/auth/organization/create',
    'POST /api/auth/organization/join',
    'POST /api/auth/organization/switch',
    'POST /api/auth/organization/{organizationId}/connections',
    'POST /api/auth/organization/{organizationId}/connections/{connectionId}/identity',
    'POST /api/auth/organization/{organizationId}/connections/{connectionId}/link',
    'POST /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens',
    'POST /api/auth/organization/{organizationId}/connections/{connectionId}/test',
    'POST /api/auth/organization/{organizationId}/domains',
    'POST /api/auth/organization/{organizationId}/domains/{domainId}/verify',
    'POST /api/auth/organization/{organizationId}/invitations',
    'POST /api/auth/organization/{organizationId}/leave',
    'POST /api/auth/organization/{organizationId}/members/{userId}/disable',
    'POST /api/auth/organization/{organizationId}/members/{userId}/enable',
    'POST /api/auth/organization/{organizationId}/members/{userId}/reset-two-factor',
    'POST /api/auth/organization/{organizationId}/service-accounts',
    'POST /api/auth/organization/{organizationId}/service-accounts/{accountId}/keys',
    'POST /api/auth/passkeys',
    'POST /api/auth/passkeys/options',
    'POST /api/auth/password/change',
    'POST /api/auth/password/forgot',
    'POST /api/auth/password/reset',
    'POST /api/auth/refresh',
    'POST /api/auth/service-token',
    'POST /api/auth/session/rebind',
    'POST /api/auth/sign-in/email',
    'POST /api/auth/sign-in/mailed',
    'POST /api/auth/sign-in/mailed/verify',
    'POST /api/auth/sign-in/passkey',
    'POST /api/auth/sign-in/passkey/options',
    'POST /api/auth/sign-in/social',
    'POST /api/auth/sign-in/sso',
    'POST /api/auth/sign-in/sso/ticket',
    'POST /api/auth/sign-in/ticket',
    'POST /api/auth/sign-out',
    'POST /api/auth/sign-up/email',
    'POST /api/auth/two-factor/backup-codes',
    'POST /api/auth/two-factor/disable',
    'POST /api/auth/two-factor/enable',
    'POST /api/auth/two-factor/passkey/options',
    'POST /api/auth/two-factor/verify-backup-code',
    'POST /api/auth/two-factor/verify-passkey',
    'POST /api/auth/two-factor/verify-totp',
    'PUT /api/auth/organization/{organizationId}/logo',
    'PUT /api/auth/organization/{organizationId}/sso-requirement',
  ]);
});

test('an account has one address, whichever way its international domain is written [S-138]', async () => {
  const send = async (route: string, body: object) => {
    const answer = await post(route, JSON.stringify(body));
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  const stored = 'max@xn--mller-dach-9db.example';
  const made = await send('/sign-up/email', { email: ' MAX@Müller-Dach.example ', name: 'Max', password });
  expect(made).toMatchObject({ status: 201, body: { user: { email: stored } } });
  for (const email of ['max@müller-dach.example', 'Max@MU\u0308LLER-dach.example', stored.toUpperCase()]) {
    expect(await send('/sign-in/email', { email, password })).toMatchObject({
      status: 200,
      body: { user: { email: stored } },
    });
    const taken = await send('/sign-up/email', { email, name: 'Max', password });
    expect(taken).toMatchObject({ status: 422, body: { code: 'USER_ALREADY_EXISTS' } });
  }
});

test.each(['/sign-up/email', '/sign-in/email', '/password/forgot', '/email/resend'])(
  'POST %s takes no letter for another one before the @ [S-138]',
  async (route) => {
    for (const email of ['\u212Aim@example.com', 'ſam@example.com', 'ｍax@example.com', 'mäx@example.com']) {
      const body = route.startsWith('/sign') ? { email, password } : { email };
      const answer = await post(
        route,
        JSON.stringify({ ...body, ...(route === '/sign-up/email' && { name: 'K' }) }),
      );
      expect(answer.statusCode, email).toBe(400);
      expect(answer.json(), email).toMatchObject({ details: [{ field: 'email', rule: 'localPart' }] });
    }
  },
);

describe('a header that promises what the operation does not', () => {
  test.each(['idempotency-key', 'if-match', 'if-none-match', 'if-unmodified-since'])(
    'is refused: %s',
    async (header) => {
      const document = (await app.inject('/api/auth/openapi.json')).json<Document>();
      const authorization = `Bearer ${ada.token}`;
      const own = await app.inject({ url: '/api/auth/organization/list', headers: { authorization } });
      const [organization] = own.json<{ organizations: { id: string }[] }>().organizations;
      const unsafe = ['post', 'put', 'patch', 'delete'];
      for (const [path, operations] of Object.entries(document.paths)) {
        const url = path.replaceAll(/\{[^}]+\}/g, String(organization?.id));
        for (const method of Object.keys(operations).filter((name) => unsafe.includes(name))) {
          const headers = { authorization, [header]: '"1"' };
          const answer = await app.inject({ method: method as 'POST', url, headers });
          expect(answer.statusCode, `${method} ${path}`).toBe(400);
          expect(answer.json(), `${method} ${path}`).toMatchObject({ details: [{ field: header }] });
        }
      }
    },
  );
});

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}
