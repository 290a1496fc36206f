import { randomUUID } from 'node:crypto';
import type { Service } from '@tenantry/service/http';
import { testClock } from '@tenantry/test-kit';
import { describe, expect, test } from 'vitest';
import { anyString, claimsOf, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const clock = testClock(new Date());
const { app, sql } = await startService({ now: () => new Date(clock()) });

describe('GET /session', () => {
  test('says who is signed in, and where', async () => {
    const ada = await signUp(app);
    const { status, body } = await send(app, 'GET /session', { token: ada.token });

    expect(status).toBe(200);
    expect(body).toEqual({
      user: { id: ada.id, email: ada.email, name: ada.name },
      session: {
        id: ada.sessionId,
        createdAt: anyString,
        expiresAt: anyString,
        tokenExpiresAt: new Date(Number(claimsOf(ada.token)['exp']) * 1_000).toISOString(),
      },
      organization: {
        id: claimsOf(ada.token)['organizationId'],
        name: "Ada Lovelace's organization",
        slug: anyString,
        createdAt: anyString,
        role: 'owner',
      },
    });
  });

  test('shows no organization to a former member', async () => {
    const ada = await signUp(app);
    await sql('DELETE FROM members WHERE user_id = $1', [ada.id]);
    const { status, body } = await send(app, 'GET /session', { token: ada.token });
    expect(status).toBe(200);
    expect(body.organization).toBeNull();
  });
});

describe('GET /sessions', () => {
  test('lists the live sessions, newest first, without any token [S-68]', async () => {
    const ada = await signUp(app);
    clock.advance({ seconds: 1 });
    const phone = await signIn(app, ada.email, {
      'user-agent': 'Tenantry/2.1 (iPhone)',
      'x-device-id': 'phone-0001',
    });
    clock.advance({ seconds: 1 });
    const bare = await signIn(app, ada.email, { 'user-agent': '', 'x-device-id': 'sensor.0002' });
    const { status, body } = await send(app, 'GET /sessions', { token: phone.body.session.token });

    expect(status).toBe(200);
    const common = {
      browser: null,
      ipAddress: '127.0.0.1',
      createdAt: anyString,
      lastActiveAt: anyString,
      expiresAt: anyString,
      organizationId: claimsOf(ada.token)['organizationId'],
      ...{ confinedTo: null, connectionId: null },
    };
    expect(body).toEqual({
      sessions: [
        { id: bare.body.session.id, current: false, device: 'device …0002', system: null, ...common },
        {
          id: phone.body.session.id,
          current: true,
          device: 'Tenantry/2.1 (iPhone)',
          system: 'iOS',
          ...common,
        },
        { id: ada.sessionId, current: false, device: anyString, system: null, ...common },
      ],
    });
    expect(JSON.stringify(body)).not.toContain(phone.body.session.token);
  });

  test('says which session a connection of an organization has started', async () => {
    const ada = await signUp(app);
    const { id } = (await signIn(app, ada.email)).body.session;
    const [confinedTo, connectionId] = [claimsOf(ada.token)['organizationId'], randomUUID()];
    await sql('UPDATE sessions SET confined_to = $2, connection_id = $3 WHERE id = $1', [
      id,
      confinedTo,
      connectionId,
    ]);
    const { body } = await send(app, 'GET /sessions', { token: ada.token });
    // Both may have been active in the same millisecond.
    const listed = Object.fromEntries(body.sessions.map((session) => [session.id, session]));
    expect(listed).toMatchObject({
      [id]: { confinedTo, connectionId },
      [ada.sessionId]: { confinedTo: null, connectionId: null },
    });
  });

  test('shows a hostile User-Agent bounded and on one line', async () => {
    const ada = await signUp(app);
    const agent = `x\u0085\u00ad<script>alert(1)</script>${'y'.repeat(1_000)}`;
    const { body } = await signIn(app, ada.email, { 'user-agent': agent, 'x-device-id': '<b>' });
    const listed = await send(app, 'GET /sessions', { token: body.session.token });
    const device = listed.body.sessions.find(({ current }) => current)?.device;
    expect(device).toHaveLength(256);
    expect(device).toMatch(/^x <script>/);
  });
});

describe('the address of a session', () => {
  const forwarded = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
  const addressAfterSignIn = async (app: Service) => {
    const { body } = await signIn(app, (await signUp(app)).email, forwarded);
    const listed = await send(app, 'GET /sessions', { token: body.session.token });
    return listed.body.sessions.find(({ current }) => current)?.ipAddress;
  };

  test('is the one that a trusted proxy saw', async () => {
    const { app: behindProxy } = await startService({ settings: { TRUST_PROXY: '127.0.0.1' } });
    expect(await addressAfterSignIn(behindProxy)).toBe('203.0.113.9');
  });

  test('is not what anyone else claims', async () => {
    expect(await addressAfterSignIn(app)).toBe('127.0.0.1');
  });
});

describe('DELETE /sessions/:id', () => {
  test("ends one of the caller's sessions immediately", async () => {
    const ada = await signUp(app);
    const other = (await signIn(app, ada.email)).body.session;

    const answer = await send(app, `DELETE /sessions/${other.id}`, { token: ada.token });
    expect(answer.status).toBe(204);
    expect(answer.body).toBeUndefined();
    expect((await send(app, 'GET /session', { token: other.token })).status).toBe(401);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);

    const again = await send(app, `DELETE /sessions/${other.id}`, { token: ada.token });
    expect(again.status).toBe(404);
  });

  test("makes no difference between another user's session and a random id [S-68]", async () => {
    const ada = await signUp(app);
    const eve = await signUp(app, 'Eve');
    const headers = { 'x-request-id': 'same' };
    const foreign = await send(app, `DELETE /sessions/${ada.sessionId}`, { token: eve.token, headers });
    const random = await send(app, `DELETE /sessions/${randomUUID()}`, { token: eve.token, headers });

    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual({ code: 'NOT_FOUND', message: anyString, requestId: 'same' });
    expect(foreign.body).toEqual(random.body);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);
  });

  test('refuses an id that is no UUID with 400', async () => {
    const ada = await signUp(app);
    const { status, body } = await send(app, 'DELETE /sessions/42', { token: ada.token });
    expect(status).toBe(400);
    expect(body.details).toMatchObject([{ field: 'id', rule: 'format', message: 'must be a UUID' }]);
  });
});

describe('POST /sign-out', () => {
  test('ends the session behind the token, and no other', async () => {
    const ada = await signUp(app);
    const other = (await signIn(app, ada.email)).body.session;
    expect(await send(app, 'POST /sign-out', { token: ada.token })).toMatchObject({
      status: 200,
      body: { success: true },
    });

    const refused = await send(app, 'GET /session', { token: ada.token });
    expect(refused.status).toBe(401);
    expect(refused.body).toEqual({
      code: 'UNAUTHENTICATED',
      message: anyString,
      reason: 'SESSION_ENDED',
      requestId: anyString,
    });
    expect(refused.headers['www-authenticate']).toContain('error="invalid_token"');
    expect((await send(app, 'GET /session', { token: other.token })).status).toBe(200);
  });
});

describe('a session', () => {
  test('outlives its token, and ends 7 days after it began, never extended [S-58]', async () => {
    const ada = await signUp(app);
    clock.advance({ minutes: 15, seconds: 6 });
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);

    const { session } = (await signIn(app, ada.email)).body;
    clock.advance({ days: 6, minutes: 24 * 60 - 5 });
    const late = await signIn(app, ada.email);
    const organizationId = claimsOf(ada.token)['organizationId'];
    expect(late.status).toBe(200);
    const listed = await send(app, 'GET /sessions', { token: late.body.session.token });
    expect(listed.body.sessions.map(({ id }) => id)).toEqual([late.body.session.id, session.id]);

    const switched = await send(app, 'POST /organization/switch', {
      token: late.body.session.token,
      body: { organizationId },
    });
    expect(switched.body.session.expiresAt).toBe(late.body.session.expiresAt);

    clock.advance({ minutes: 5 });
    const after = (await signIn(app, ada.email)).body.session;
    const remaining = await send(app, 'GET /sessions', { token: after.token });
    expect(remaining.body.sessions.map(({ id }) => id)).not.toContain(session.id);
  });

  test('is refused once it has expired, although its token has not', async () => {
    const ada = await signUp(app);
    const second = "'1 second'::interval";
    await sql(
      `UPDATE sessions SET created_at = created_at - ${second}, expires_at = created_at + ${second} WHERE id = $1`,
      [ada.sessionId],
    );
    clock.advance({ seconds: 2 });
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
  });

  test('gives no token that outlives it [S-58]', async () => {
    const ada = await signUp(app);
    await sql('UPDATE sessions SET expires_at = $2 WHERE id = $1', [
      ada.sessionId,
      new Date(clock() + 5 * 60_000 + 999),
    ]);
    const { body } = await send(app, 'POST /organization/switch', {
      token: ada.token,
      body: { organizationId: claimsOf(ada.token)['organizationId'] },
    });
    expect(Date.parse(body.session.tokenExpiresAt)).toBeLessThanOrEqual(Date.parse(body.session.expiresAt));
    expect(Date.parse(body.session.tokenExpiresAt) - clock()).toBeLessThanOrEqual(5 * 60_000 + 999);
    expect(Number(claimsOf(body.session.token)['exp']) * 1_000).toBe(Date.parse(body.session.tokenExpiresAt));
  });

  test('ends when its user is disabled [S-70]', async () => {
    const ada = await signUp(app);
    await sql('UPDATE users SET disabled_at = now() WHERE id = $1', [ada.id]);
    const { status, body } = await send(app, 'GET /session', { token: ada.token });
    expect(status).toBe(401);
    expect(body.code).toBe('UNAUTHENTICATED');
  });
});
