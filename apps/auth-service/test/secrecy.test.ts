import { describe, expect, test } from 'vitest';
import { claimsOf, newEmail, send, signUp } from './support/client.ts';
import { startService } from './support/service.ts';

const canary = 'canary-Zebra-quartz-4711';
const { app, logs, sql, config, database } = await startService();

/** Everything that is stored, as text. */
async function dump(): Promise<string> {
  const tables = await sql(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
  const rows = await Promise.all(
    tables.map(({ name }) => sql(`SELECT row_to_json(t)::text AS row FROM "${String(name)}" t`)),
  );
  return rows
    .flat()
    .map(({ row }) => String(row))
    .join('\n');
}

describe('a secret', () => {
  test('appears in no log line, whether the request succeeds or fails [S-177]', async () => {
    const email = newEmail();
    const { session } = (
      await send(app, 'POST /sign-up/email', { body: { email, password: canary, name: 'Ada' } })
    ).body;
    await send(app, 'POST /sign-up/email', { body: { email, password: canary, name: 'Ada' } });
    await send(app, 'POST /sign-in/email', { body: { email, password: canary } });
    await send(app, 'POST /sign-in/email', { body: { email, password: `${canary}!` } });
    await send(app, 'POST /sign-in/email', { body: { email, password: canary, [canary]: 1 } });
    await send(app, `GET /session?token=${session.token}&password=${canary}`, { token: session.token });
    await send(app, `DELETE /sessions/${session.id}`, { token: session.token });
    await send(app, 'GET /session', { token: session.token });
    // A defect below the handlers must not quote what it was handed.
    await sql('ALTER TABLE credentials RENAME TO credentials_away');
    const failed = await send(app, 'POST /sign-up/email', {
      body: { email: newEmail(), password: canary, name: 'Ada' },
    });
    await sql('ALTER TABLE credentials_away RENAME TO credentials');

    expect(failed.status).toBe(500);
    expect(failed.body).toEqual({
      code: 'INTERNAL',
      message: 'Something went wrong on our side. Report the request id if it persists.',
      requestId: failed.headers['x-request-id'],
    });
    const lines = logs();
    expect(lines).toContain('"path":"/api/auth/session"');
    expect(lines).toMatch(
      /"path":"\/api\/auth\/session".*"userId":"[0-9a-f-]{36}","organizationId":"[0-9a-f-]{36}"/,
    );
    expect(lines).toContain('request failed');
    for (const secret of [canary, session.token, config.AUTH_SECRET, new URL(database.runtimeUrl).password]) {
      expect(lines).not.toContain(secret);
    }
  });

  test('cannot be read from the database: nothing stored signs anyone in [S-57]', async () => {
    const ada = await signUp(app);
    const email = newEmail();
    await send(app, 'POST /sign-up/email', { body: { email, password: canary, name: 'Ada' } });
    const stored = await dump();

    expect(stored).toContain(email);
    expect(stored).toContain(ada.sessionId);
    const signature = ada.token.split('.')[2] ?? '';
    for (const secret of [canary, ada.token, signature, config.AUTH_SECRET])
      expect(stored).not.toContain(secret);
    // A session id or a stored hash is no password and no token.
    const hash = String((await sql('SELECT password_hash FROM credentials LIMIT 1'))[0]?.['password_hash']);
    expect((await send(app, 'GET /session', { token: ada.sessionId })).status).toBe(401);
    const attempt = await send(app, 'POST /sign-in/email', { body: { email, password: hash } });
    expect(attempt.status).toBe(401);
    expect(claimsOf(ada.token)['sid']).toBe(ada.sessionId);
  });

  test('is never cached on its way [S-135]', async () => {
    const ada = await signUp(app);
    for (const path of ['/session', '/sessions', '/organization/list']) {
      const { headers } = await send(app, `GET ${path}`, { token: ada.token });
      expect(headers['cache-control']).toBe('no-store');
    }
  });
});
