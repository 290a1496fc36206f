import { expect, test } from 'vitest';
import { refresh, send, signIn, signUp } from './support/client.ts';
import { listenToQueries } from './support/queries.ts';
import { startService } from './support/service.ts';

const queriesOf = listenToQueries();

const crowd = 5_000;

/** Users with an organization and a session each, as the table sizes of a service that is in use. */
const populate = `
  CREATE TEMP TABLE crowd AS SELECT gen_random_uuid() AS id, n FROM generate_series(1, ${crowd}) AS n;
  INSERT INTO users SELECT id, 'user' || n || '@example.com', 'User', id, NULL, now(), now() FROM crowd;
  INSERT INTO credentials SELECT id, 'bcrypt-hmac-sha384:x:' || repeat('x', 60), now() FROM crowd;
  INSERT INTO organizations SELECT id, 'Organization', 'organization-' || n, now(), now() FROM crowd;
  INSERT INTO members SELECT id, id, 'owner', now(), now() FROM crowd;
  INSERT INTO sessions (user_id, id, active_organization_id, authenticated_at, refresh_generation, refresh_hash,
      refresh_rotated_at, created_at, last_active_at, expires_at)
    SELECT id, id, id, now(), 1, sha256(id::text::bytea), now(), now(), now(), now() + '1 day' FROM crowd;
  ANALYZE`;

test('no request reads more rows than its own, among thousands', async () => {
  const { sql, database, config } = await startService();
  await sql(populate);
  const { app } = await startService({ database, settings: { AUTH_SECRET: config.AUTH_SECRET } });
  // What filled the tables is counted when its connection is next idle; only then does the count start over.
  await sql('SELECT pg_stat_force_next_flush()');
  await sql('SELECT pg_stat_reset()');

  const { email, token, sessionId } = await signUp(app);
  expect((await signIn(app, email)).status).toBe(200);
  const slug = 'acme-indexed';
  const created = await send(app, 'POST /organization/create', { token, body: { name: 'Acme', slug } });
  const organizationId = created.body.organization.id;
  const switched = await send(app, 'POST /organization/switch', { token, body: { organizationId } });
  expect(switched.status).toBe(200);
  for (const path of ['/session', '/sessions', '/organization/list']) {
    expect((await send(app, `GET ${path}`, { token })).status).toBe(200);
  }
  expect((await send(app, `DELETE /sessions/${sessionId}`, { token })).status).toBe(204);
  // A connection reports what it has read when it closes.
  await app.close();

  const rowsRead = async () => {
    const read = await sql(`
      SELECT relname AS "table", (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS rows
      FROM pg_stat_user_tables WHERE relname <> '_prisma_migrations'`);
    return new Map(read.map(({ table, rows }) => [table, Number(rows)]));
  };
  await expect.poll(async () => (await rowsRead()).get('sessions')).toBeGreaterThan(0);
  const rows = await rowsRead();
  for (const table of ['users', 'credentials', 'sessions', 'organizations', 'members']) {
    expect({ table, few: (rows.get(table) ?? 0) < 100 }).toEqual({ table, few: true });
  }
});

test('a session read and a refresh ask one query each, and a sign-in what its walk says', async () => {
  const { app } = await startService();
  const { email, token, refreshToken } = await signUp(app);
  const device = { 'x-device-id': 'device-0001', 'x-client-platform': 'ios' };

  expect(await queriesOf(() => send(app, 'GET /session', { token }))).toEqual(['session-live']);
  expect(await queriesOf(() => refresh(app, refreshToken))).toEqual(['session-rotate-refresh-token']);
  expect(await queriesOf(() => signIn(app, email, device))).toEqual([
    // Whether the device counts for itself.
    'lockout-known-device',
    // The method: the attempt is counted together with the look-up, and no longer counted once the password was right.
    'lockout-reserve',
    'credential-by-email',
    'lockout-reset',
    'BEGIN',
    // Second factors.
    'two-factor-lock-user',
    'two-factor-authenticator',
    // Sessions.
    'session-resume',
    'sessions-forget-expired',
    'sessions-revoke-oldest',
    'session-insert',
    'audit-insert-own',
    'lockout-remember-device',
    // The proof still holds.
    'credential-usable',
    'COMMIT',
  ]);
});
