import { randomUUID } from 'node:crypto';
import { createLogger } from '@tenantry/service/logging';
import { actorAnswer } from '@tenantry/service/resources';
import { createFormerDatabase, patience, testLog } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { AuditPage } from '../src/audit/audit.repository.ts';
import { Audit } from '../src/audit/audit.ts';
import { newPassword, send } from './support/client.ts';
import { mailedToken } from './support/mail.ts';
import { openDatabase, startService } from './support/service.ts';

test('members who joined before an upgrade are published to readers in full', async () => {
  const database = await createFormerDatabase('auth-service', { before: '20261121' });
  afterAll(() => database.drop());
  const [userId, organizationId] = [randomUUID(), randomUUID()];
  const admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  for (const [insert, values] of [
    [
      `users (id, email, name, created_at, updated_at) VALUES ($1, 'ada@example.com', 'Ada', now(), now())`,
      [userId],
    ],
    [
      `organizations (id, name, slug, created_at, updated_at) VALUES ($1, 'Engines', 'engines', now(), now())`,
      [organizationId],
    ],
    [
      `members (user_id, organization_id, role, created_at, updated_at) VALUES ($1, $2, 'owner', now(), now())`,
      [userId, organizationId],
    ],
  ] as const) {
    await admin.query(`INSERT INTO ${insert}`, [...values]);
  }
  const told = { userId, organizationId, email: 'ada@example.com', name: 'Ada', role: 'owner' };
  await admin.query(
    `INSERT INTO events (type, subject, user_id, organization, payload)
     VALUES ('user.created', $1, $3, NULL, $5), ('member.added', $2, $3, $4, $5)`,
    [`user:${userId}`, `member:${organizationId}:${userId}`, userId, organizationId, JSON.stringify(told)],
  );
  await admin.end();

  await database.upgrade();
  const { app, config } = await startService({ database });
  const answer = await app.inject({
    url: '/internal/events',
    headers: { authorization: `Bearer ${config.INTERNAL_API_KEY[0] ?? ''}` },
  });
  const { entries } = answer.json<{ entries: object[] }>();
  // Only the latest about a subject.
  expect(entries).toMatchObject([
    {
      ...{ ...told, type: 'user.updated', emailVerified: false, disabled: false, familyName: null },
      createdAt: expect.any(String) as string,
    },
  ]);
});

test('second factors from before an upgrade are backfilled while others sign in, without those turned off meanwhile', async () => {
  const database = await createFormerDatabase('auth-service', { before: '20261124104200' });
  afterAll(() => database.drop());
  const connected = async () => {
    const client = new pg.Client({ connectionString: database.adminUrl });
    await client.connect();
    return client;
  };
  const [admin, leaving] = [await connected(), await connected()];
  const users = { app: randomUUID(), passkey: randomUUID(), pending: randomUUID(), leaving: randomUUID() };
  for (const [name, id] of Object.entries(users)) {
    await admin.query(
      `INSERT INTO users (id, email, name, created_at, updated_at) VALUES ($1, $2, $3, now(), now())`,
      [id, `${name}@example.com`, name],
    );
  }
  for (const id of [users.app, users.leaving]) {
    await admin.query('INSERT INTO two_factor (user_id, enabled_at, created_at) VALUES ($1, now(), now())', [
      id,
    ]);
  }
  await admin.query('INSERT INTO two_factor (user_id, created_at) VALUES ($1, now())', [users.pending]);
  await admin.query(
    `INSERT INTO passkeys (user_id, id, credential_id, public_key, counter, rp_id, backup_eligible, backed_up, name, created_at)
     VALUES ($1, $1, '\\x01', $2, 0, 'example.com', false, false, 'Phone', now())`,
    [users.passkey, Buffer.alloc(77)],
  );
  await admin.query('UPDATE users SET has_second_factor = false');

  await leaving.query('BEGIN');
  await leaving.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [users.leaving]);
  const upgraded = database.upgrade();
  await vi.waitFor(async () => {
    const waits = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    expect((await admin.query(waits)).rowCount).toBe(1);
  }, patience());
  await admin.query(`SET lock_timeout = '1s'`);
  for (const table of ['users', 'two_factor', 'passkeys']) {
    await admin.query(`SELECT FROM ${table} WHERE false FOR NO KEY UPDATE`);
  }
  await leaving.query('DELETE FROM two_factor WHERE user_id = $1', [users.leaving]);
  await leaving.query('COMMIT');
  await upgraded;

  const { rows } = await admin.query('SELECT name FROM users WHERE has_second_factor ORDER BY name');
  expect(rows).toEqual([{ name: 'app' }, { name: 'passkey' }]);
  const seen = `SELECT FROM pg_policies WHERE policyname LIKE '%migration'`;
  expect((await admin.query(seen)).rowCount).toBe(0);
  await Promise.all([admin.end(), leaving.end()]);
});

test('entries from before an upgrade belong to the user they name, and to an unknown actor if they name none', async () => {
  const former = await createFormerDatabase('auth-service', { before: '20261124150000' });
  onTestFinished(() => former.drop());
  const [userId, organizationId] = [randomUUID(), randomUUID()];
  const admin = new pg.Client({ connectionString: former.adminUrl });
  await admin.connect();
  await admin.query(
    `INSERT INTO users (id, email, name, created_at, updated_at) VALUES ($1, 'ada@example.com', 'Ada', now(), now())`,
    [userId],
  );
  await admin.query(
    `INSERT INTO audit_events (organization_id, actor_user_id, actor_name, action, details)
     VALUES ($1, NULL, NULL, 'invitation.rejected', '{}'), ($1, $2, 'Ada', 'member.left', '{}')`,
    [organizationId, userId],
  );
  await admin.query(
    `INSERT INTO user_audit_events (user_id, action, details)
     VALUES ($1, 'two-factor.reset', '{"by": "organization"}'), ($1, 'password.changed', '{}')`,
    [userId],
  );
  await admin.end();

  await former.upgrade();
  const { config } = await startService({ database: former });
  const logger = createLogger({ name: 'test', level: 'trace', destination: testLog() });
  const database = openDatabase(config, logger);
  onTestFinished(() => database.close());
  const audit = new Audit({ config, database });
  const query = { page: 1, pageSize: 10 };
  const actors = ({ items }: AuditPage) => items.map((event) => [event.action, actorAnswer(event)]);
  const ada = { kind: 'user', userId, name: 'Ada' };
  expect(actors(await audit.list(organizationId, query))).toEqual([
    ['member.left', ada],
    ['invitation.rejected', null],
  ]);
  expect(actors(await audit.listOwn(userId, query))).toEqual([
    ['password.changed', ada],
    ['two-factor.reset', null],
  ]);
});

test('an account that an organization disabled before an upgrade is claimed by whoever has the mailbox', async () => {
  const former = await createFormerDatabase('auth-service', { before: '20261128013143' });
  afterAll(() => former.drop());
  const [ownerId, veraId, organizationId] = [randomUUID(), randomUUID(), randomUUID()];
  const email = 'vera@example.com';
  const admin = new pg.Client({ connectionString: former.adminUrl });
  await admin.connect();
  await admin.query(
    `INSERT INTO organizations (id, name, slug, created_at, updated_at) VALUES ($1, 'Engines', 'engines', now(), now())`,
    [organizationId],
  );
  await admin.query(
    `INSERT INTO users (id, email, name, created_at, updated_at) VALUES ($1, 'owner@example.com', 'Owner', now(), now())`,
    [ownerId],
  );
  await admin.query(
    `INSERT INTO users (id, email, name, disabled_at, disabled_by_organization_id, created_by_organization_id, created_at, updated_at)
     VALUES ($1, $2, 'Vera', now(), $3, $3, now(), now())`,
    [veraId, email, organizationId],
  );
  await admin.query(
    `INSERT INTO members (user_id, organization_id, role, created_at, updated_at)
     VALUES ($1, $3, 'owner', now(), now()), ($2, $3, 'member', now(), now())`,
    [ownerId, veraId, organizationId],
  );
  await admin.end();

  await former.upgrade();
  const service = await startService({ database: former });
  await send(service.app, 'POST /password/forgot', { body: { email } });
  const token = await mailedToken(service, email, 'reset-password');
  const reset = await send(service.app, 'POST /password/reset', { body: { token, newPassword } });
  expect(reset.status).toBe(200);
  const body = { email, password: newPassword };
  const { status, body: answer } = await send(service.app, 'POST /sign-in/email', { body });
  expect([status, answer.user.id]).toEqual([200, veraId]);
  const members = await service.sql('SELECT user_id FROM members WHERE organization_id = $1', [
    organizationId,
  ]);
  expect(members).toEqual([{ user_id: ownerId }]);
});
