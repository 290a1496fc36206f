import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { claimsOf, refresh, send, signIn, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const { app, sql } = await startService({ settings: { MAX_SESSIONS_PER_USER: '3' } });
const phone = { 'x-device-id': 'phone-0001' };

const newsOf = async (sid: string) => {
  const rows = await sql('SELECT kind, sub FROM revocations WHERE sid = $1', [sid]);
  return rows.map(({ kind, sub }) => `${String(kind)} of ${String(sub)}`);
};
const auditOf = (actorId: string) =>
  sql('SELECT action, target_id AS target, details FROM audit_events WHERE actor_user_id = $1 ORDER BY id', [
    actorId,
  ]);

/** A user with three sessions, the last of them the caller's. */
async function threeSessions() {
  const ada = await signUp(app, 'Ada', phone);
  const second = (await signIn(app, ada.email, phone)).body.session;
  const third = (await signIn(app, ada.email, phone)).body.session;
  return { ada, ids: [ada.sessionId, second.id, third.id], second, third };
}

describe('DELETE /sessions', () => {
  test('scope=others ends every session but the one that asks [S-68]', async () => {
    const { ada, second, third } = await threeSessions();
    const { status, body } = await send(app, 'DELETE /sessions?scope=others', { token: third.token });
    expect({ status, body }).toEqual({ status: 200, body: { revoked: 2 } });
    for (const token of [ada.token, second.token]) {
      expect((await send(app, 'GET /session', { token })).status).toBe(401);
    }
    for (const token of [ada.refreshToken, second.refreshToken]) {
      expect((await refresh(app, token, phone)).status).toBe(401);
    }
    expect((await send(app, 'GET /session', { token: third.token })).status).toBe(200);
    expect(await newsOf(ada.sessionId)).toEqual([`session of ${ada.id}`]);
    expect(await newsOf(second.id)).toEqual([`session of ${ada.id}`]);
    expect(await newsOf(third.id)).toEqual([]);
    expect(await auditOf(ada.id)).toContainEqual({
      action: 'sessions.revoked',
      target: null,
      details: { scope: 'others', revoked: 2 },
    });
    const again = await send(app, 'DELETE /sessions?scope=others', { token: third.token });
    expect(again.body).toEqual({ revoked: 0 });
  });

  test('scope=all ends that one too', async () => {
    const { ada, ids, third } = await threeSessions();
    const { body } = await send(app, 'DELETE /sessions?scope=all', { token: third.token });
    expect(body).toEqual({ revoked: 3 });
    expect((await send(app, 'GET /session', { token: third.token })).status).toBe(401);
    for (const id of ids) expect(await newsOf(id)).toEqual([`session of ${ada.id}`]);
  });

  test("ends no other user's sessions", async () => {
    const [{ third }, eve] = [await threeSessions(), await signUp(app, 'Eve')];
    await send(app, 'DELETE /sessions?scope=all', { token: third.token });
    expect((await send(app, 'GET /session', { token: eve.token })).status).toBe(200);
  });

  test.each(['', '?scope=', '?scope=mine', '?scope=all&scope=others', '?scope=all&force=true'])(
    'refuses %j with 400',
    async (query) => {
      const { third } = await threeSessions();
      const { status, body } = await send(app, `DELETE /sessions${query}`, { token: third.token });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect((await send(app, 'GET /session', { token: third.token })).status).toBe(200);
    },
  );

  test('asks an anonymous caller to sign in', async () => {
    expect((await send(app, 'DELETE /sessions?scope=all')).status).toBe(401);
  });
});

describe('every way a session ends reaches the verifiers in the same transaction', () => {
  test('sign-out', async () => {
    const ada = await signUp(app, 'Ada', phone);
    await send(app, 'POST /sign-out', { token: ada.token });
    expect(await newsOf(ada.sessionId)).toEqual([`session of ${ada.id}`]);
    expect(await auditOf(ada.id)).toContainEqual({
      action: 'session.revoked',
      target: ada.sessionId,
      details: {},
    });
    expect((await refresh(app, ada.refreshToken, phone)).status).toBe(401);
  });

  test('a session ended from another device', async () => {
    const { ada, third } = await threeSessions();
    await send(app, `DELETE /sessions/${ada.sessionId}`, { token: third.token });
    expect(await newsOf(ada.sessionId)).toEqual([`session of ${ada.id}`]);
    await send(app, `DELETE /sessions/${randomUUID()}`, { token: third.token });
    expect(await sql('SELECT 1 FROM revocations WHERE sub = $1', [ada.id])).toHaveLength(1);
  });

  test('the oldest session, when there are too many [S-62]', async () => {
    const { ada, ids } = await threeSessions();
    await signIn(app, ada.email, phone);
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(401);
    expect(await newsOf(ada.sessionId)).toEqual([`session of ${ada.id}`]);
    for (const id of ids.slice(1)) expect(await newsOf(id)).toEqual([]);
  });

  test('and nothing is published about one that continues', async () => {
    const ada = await signUp(app, 'Ada', phone);
    await sql(`ALTER TABLE revocations ADD CONSTRAINT refuses CHECK (sub <> '${ada.id}')`);
    expect((await send(app, 'POST /sign-out', { token: ada.token })).status).toBe(500);
    await sql('ALTER TABLE revocations DROP CONSTRAINT refuses');
    expect((await send(app, 'GET /session', { token: ada.token })).status).toBe(200);
    expect(await newsOf(ada.sessionId)).toEqual([]);
    expect(claimsOf(ada.token)['sid']).toBe(ada.sessionId);
  });
});
