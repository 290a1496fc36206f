import type { Service } from '@tenantry/service/http';
import { describe, expect, test } from 'vitest';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { anyString, claimsOf, send, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const protectedRoutes = [
  'GET /session',
  'GET /sessions',
  'DELETE /sessions/00000000-0000-4000-8000-000000000000',
  'POST /organization/create',
  'POST /organization/switch',
  'GET /organization/list',
  'GET /organization/permissions',
  'GET /organization/00000000-0000-4000-8000-000000000000',
  'PATCH /organization/00000000-0000-4000-8000-000000000000',
  'DELETE /organization/00000000-0000-4000-8000-000000000000',
  'POST /organization/00000000-0000-4000-8000-000000000000/leave',
  'GET /organization/00000000-0000-4000-8000-000000000000/members',
  'POST /organization/00000000-0000-4000-8000-000000000000/invitations',
  'POST /invitations/accept',
  'DELETE /user',
];

/** A route of a later feature, as it would ask for a permission. */
function addAdminRoute(app: Service): void {
  const schema = { operationId: 'probe' };
  app.get('/api/auth/probe', { config: { access: 'members:write' }, schema }, async () => ({ let: 'in' }));
}

const { app, sql, config } = await startService({ extend: addAdminRoute });

describe.each(protectedRoutes)('%s', (route) => {
  test('asks an anonymous caller to sign in', async () => {
    const { status, body, headers } = await send(app, route);
    expect(status).toBe(401);
    expect(body).toEqual({
      code: 'UNAUTHENTICATED',
      message: anyString,
      reason: 'TOKEN_MISSING',
      requestId: headers['x-request-id'],
    });
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  test('refuses a token of another issuer, and one that was tampered with', async () => {
    const ada = await signUp(app);
    const foreign = await createTestIssuer({ issuer: config.AUTH_URL });
    const forged = await foreign.token({ sub: ada.id, sid: ada.sessionId });
    const [head = '', payload = '', signature = ''] = ada.token.split('.');
    const claims = { ...claimsOf(ada.token), sub: '00000000-0000-4000-8000-000000000000' };
    const tampered = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    const unsigned = [Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url'), payload, ''].join(
      '.',
    );

    for (const token of [forged, tampered, unsigned, 'x', `${ada.token} `, `${ada.token}A`]) {
      const { status, body } = await send(app, route, { token });
      expect(status).toBe(401);
      expect(body.code).toBe('UNAUTHENTICATED');
    }
  });

  test('refuses a token whose session was revoked', async () => {
    const ada = await signUp(app);
    await sql('UPDATE sessions SET revoked_at = now() WHERE id = $1', [ada.sessionId]);
    const { status, body } = await send(app, route, { token: ada.token });
    expect(status).toBe(401);
    expect(body.code).toBe('UNAUTHENTICATED');
  });
});

describe('a route that asks for a permission', () => {
  const probe = (token: string) => send(app, 'GET /probe', { token });

  test('lets in whose role carries it now, whatever the token says', async () => {
    const ada = await signUp(app);
    expect((await probe(ada.token)).status).toBe(200);

    await sql(`UPDATE members SET role = 'member' WHERE user_id = $1`, [ada.id]);
    const { status, body } = await probe(ada.token);
    expect(status).toBe(403);
    expect(body.code).toBe('FORBIDDEN');
  });

  test('says that no organization is active', async () => {
    const ada = await signUp(app);
    await sql('DELETE FROM members WHERE user_id = $1', [ada.id]);
    const { status, body } = await probe(ada.token);
    expect(status).toBe(403);
    expect(body.code).toBe('NO_ACTIVE_ORGANIZATION');
  });
});
