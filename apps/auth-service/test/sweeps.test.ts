import { createLogger } from '@tenantry/service/logging';
import { definedStatements } from '@tenantry/tenancy/testing';
import { patience, testLog } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { createWings } from '../src/wings.ts';
import { Maintenance } from '../src/ground/background/maintenance.ts';
import type { Sweep } from '../src/ground/background/sweep.repository.ts';
import { createGround } from '../src/ground/index.ts';
import { signUp } from './support/client.ts';
import { personalOrganizationOf } from './support/organizations.ts';
import { openDatabase, startService } from './support/service.ts';

/** SWEEP_ROWS=1000000 takes some minutes. */
const count = Number(process.env['SWEEP_ROWS'] ?? 20_000);

const service = await startService();
const { app, config, sql } = service;
const log = testLog();
const logger = createLogger({ name: 'test', level: 'warn', destination: log });
const database = openDatabase(config, logger);
afterAll(() => database.close());

const sweepsOf = (settings: Partial<typeof config> = {}) => {
  const ground = createGround({
    config: { ...config, ...settings },
    logger,
    database,
    now: () => new Date(),
  });
  const wings = Object.values(createWings(ground));
  return Object.assign(
    {},
    ...wings.map((wing) => ('background' in wing ? wing.background.sweeps : {})),
  ) as Record<string, Sweep>;
};
const sweeps = sweepsOf();

const ada = await signUp(app);
const own = personalOrganizationOf(ada);
const many = `generate_series(1, ${count}) AS n`;
const bytes = `decode(lpad(to_hex(n), 64, '0'), 'hex')`;

/** By the name of the sweep: the table, and how rows get into it of which all are over but for `left`. */
const tables: Readonly<Record<string, { table: string; fill: string; left: number }>> = {
  revocations: {
    table: 'revocations',
    fill: `INSERT INTO revocations (kind, sid, sub, until)
      SELECT 'session', gen_random_uuid(), gen_random_uuid(), now() + CASE n WHEN 1 THEN 1 ELSE -1 END * INTERVAL '1 hour' FROM ${many}`,
    left: 1,
  },
  revocationMarks: {
    table: `feed_marks WHERE feed = 'revocations'`,
    fill: `INSERT INTO feed_marks (feed, xid, created_at)
      SELECT 'revocations', (100 + n)::text::xid8, now() - INTERVAL '2 days' + n * INTERVAL '1 millisecond' FROM ${many}`,
    left: 1,
  },
  eventMarks: {
    table: `feed_marks WHERE feed = 'events'`,
    fill: `INSERT INTO feed_marks (feed, xid, created_at)
      SELECT 'events', (100 + n)::text::xid8, now() - INTERVAL '9 days' + n * INTERVAL '1 millisecond' FROM ${many}`,
    left: 1,
  },
  events: {
    table: `events WHERE subject LIKE 'sweep:%'`,
    fill: `INSERT INTO events (type, subject, payload, created_at)
      SELECT 'user.updated', 'sweep:' || n % 10, '{}', now() - INTERVAL '8 days' FROM ${many}`,
    left: 10,
  },
  mail: {
    table: `mail_outbox WHERE recipient = 'a@b.c'`,
    fill: `INSERT INTO mail_outbox (id, recipient, template, secret_id, sent_at, created_at)
      SELECT gen_random_uuid(), 'a@b.c', 't', 's', now(), now() - INTERVAL '8 days' FROM ${many}`,
    left: 0,
  },
  mailBudgets: {
    table: 'mail_budgets',
    fill: `INSERT INTO mail_budgets (key, letters, ends_at)
      SELECT ${bytes}, 1, now() + CASE n WHEN 1 THEN 1 ELSE -1 END * INTERVAL '1 hour' FROM ${many} ON CONFLICT DO NOTHING`,
    left: 1,
  },
  mailedSignIns: {
    table: 'mailed_sign_ins',
    fill: `INSERT INTO mailed_sign_ins (id, email, code_hash, token_digest, binding, created_at, expires_at)
      SELECT gen_random_uuid(), 'a@b.c', ${bytes}, ${bytes}, 'b', at, at + INTERVAL '10 minutes'
      FROM ${many}, LATERAL (SELECT now() - CASE n WHEN 1 THEN INTERVAL '5 minutes' ELSE INTERVAL '2 hours' END) AS t (at)`,
    left: 1,
  },
  usedPasskeyChallenges: {
    table: 'used_passkey_challenges',
    fill: `INSERT INTO used_passkey_challenges (digest, expires_at)
      SELECT ${bytes}, now() + CASE n WHEN 1 THEN 1 ELSE -1 END * INTERVAL '1 hour' FROM ${many}
      ON CONFLICT DO NOTHING`,
    left: 1,
  },
  usedSamlAssertions: {
    table: 'used_saml_assertions',
    fill: `INSERT INTO used_saml_assertions (digest, expires_at)
      SELECT ${bytes}, now() + CASE n WHEN 1 THEN 1 ELSE -1 END * INTERVAL '1 hour' FROM ${many}
      ON CONFLICT DO NOTHING`,
    left: 1,
  },
  mailedTokens: {
    table: 'mailed_tokens WHERE email LIKE $$%@sweep$$',
    fill: `INSERT INTO mailed_tokens (user_id, id, purpose, digest, email, created_at, expires_at)
      SELECT '${ada.id}', gen_random_uuid(), 'password-reset', ${bytes}, n || '@sweep',
        now() - INTERVAL '3 days', now() - CASE n WHEN 1 THEN INTERVAL '1 hour' ELSE INTERVAL '2 days' END FROM ${many}`,
    left: 1,
  },
  signInFlows: {
    table: 'sign_in_flows',
    fill: `INSERT INTO sign_in_flows (id, state_digest, provider, intent, redirect_to, binding, encrypted_content, secret_id,
        created_at, expires_at)
      SELECT gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'p', 'sign-in', 'r', 'b', '', 's', at, at + INTERVAL '10 minutes'
      FROM ${many}, LATERAL (SELECT now() - CASE n WHEN 1 THEN INTERVAL '5 minutes' ELSE INTERVAL '2 hours' END) AS t (at)`,
    left: 1,
  },
  sessions: {
    table: 'sessions',
    fill: `INSERT INTO sessions (user_id, id, authenticated_at, refresh_generation, refresh_hash, refresh_rotated_at,
        created_at, last_active_at, expires_at)
      SELECT '${ada.id}', gen_random_uuid(), now(), 1, ${bytes}, now(), at, at, at + INTERVAL '7 days'
      FROM ${many}, LATERAL (SELECT now() - CASE n WHEN 1 THEN INTERVAL '7 days' ELSE INTERVAL '9 days' END AS at) AS began`,
    left: 1,
  },
  endedSessions: {
    table: 'sessions',
    fill: `INSERT INTO sessions (user_id, id, authenticated_at, refresh_generation, refresh_hash, refresh_rotated_at,
        created_at, last_active_at, revoked_at, expires_at)
      SELECT '${ada.id}', gen_random_uuid(), now(), 1, ${bytes}, now(), at, at, at, at + INTERVAL '7 days'
      FROM ${many}, LATERAL (SELECT now() - CASE n WHEN 1 THEN INTERVAL '23 hours' ELSE INTERVAL '25 hours' END AS at) AS began`,
    left: 1,
  },
  challenges: {
    table: 'two_factor_challenges',
    fill: `INSERT INTO two_factor_challenges (user_id, id, token_hash, binding, created_at, expires_at)
      SELECT '${ada.id}', gen_random_uuid(), ${bytes}, 'b', at, at + INTERVAL '5 minutes'
      FROM ${many}, LATERAL (SELECT now() - CASE n WHEN 1 THEN INTERVAL '0' ELSE INTERVAL '2 hours' END AS at) AS began`,
    left: 1,
  },
  audit: {
    table: `audit_events WHERE action = 'sweep.test'`,
    fill: `INSERT INTO audit_events (organization_id, action, details, created_at)
      SELECT '${own}', 'sweep.test', '{}', now() - CASE n WHEN 1 THEN INTERVAL '399 days' ELSE INTERVAL '401 days' END FROM ${many}`,
    left: 1,
  },
  ownAudit: {
    table: `user_audit_events WHERE action = 'sweep.test'`,
    fill: `INSERT INTO user_audit_events (user_id, action, details, created_at)
      SELECT '${ada.id}', 'sweep.test', '{}', now() - CASE n WHEN 1 THEN INTERVAL '399 days' ELSE INTERVAL '401 days' END FROM ${many}`,
    left: 1,
  },
  apiKeys: {
    table: `api_keys WHERE name = 'sweep'`,
    fill: `WITH account AS (
        INSERT INTO service_accounts (organization_id, id, name, role, created_by, created_at, updated_at)
        VALUES ('${own}', gen_random_uuid(), 'sweep', 'member', '${ada.id}', now(), now()) RETURNING id)
      INSERT INTO api_keys
        (organization_id, id, account_id, name, digest, ending, scope, created_by, created_at, expires_at, announced_at)
      SELECT '${own}', gen_random_uuid(), account.id, 'sweep', ${bytes}, 'abcd', '*', '${ada.id}', at - INTERVAL '1 day', at, at
      FROM account, ${many}, LATERAL (SELECT now() - CASE n WHEN 1 THEN INTERVAL '29 days' ELSE INTERVAL '31 days' END) AS t (at)`,
    left: 1,
  },
  signInFailures: {
    table: 'sign_in_failures',
    fill: `INSERT INTO sign_in_failures (email_hash, device_hash, failures, updated_at)
      SELECT ${bytes}, '', 1, now() - CASE n WHEN 1 THEN INTERVAL '89 days' ELSE INTERVAL '91 days' END FROM ${many}`,
    left: 1,
  },
  knownDevices: {
    table: 'known_devices',
    fill: `INSERT INTO known_devices (email_hash, device_hash, last_signed_in_at)
      SELECT ${bytes}, ${bytes}, now() - CASE n WHEN 1 THEN INTERVAL '399 days' ELSE INTERVAL '401 days' END FROM ${many}`,
    left: 1,
  },
  internalRequests: {
    table: 'internal_requests',
    fill: `INSERT INTO internal_requests (key, digest, user_id, created_at)
      SELECT 'key ' || n, decode(repeat('00', 32), 'hex'), gen_random_uuid(), now() - n * INTERVAL '23 hours' FROM ${many}`,
    left: 1,
  },
};

const rowsOf = async (table: string) =>
  Number((await sql(`SELECT count(*)::int AS rows FROM ${table}`))[0]?.['rows']);

describe('a sweep', () => {
  test('is there for every table that grows by time, and is tested here [S-189]', () => {
    // Invitations are swept by organization: see invitations.test.ts. Deleted organizations: organization-deletion.test.ts.
    expect(Object.keys(sweeps).toSorted()).toEqual([...Object.keys(tables), 'invitations'].toSorted());
  });

  test.each(Object.entries(tables))(
    'of %s deletes in batches of a thousand all that is over, and nothing else [S-189]',
    { timeout: patience(300_000) },
    async (name, { table, fill, left }) => {
      const before = await rowsOf(table);
      await sql(fill);
      await sql('ANALYZE');
      const sweep = sweeps[name]!;
      const sizes: number[] = [];
      for (let rows = await rowsOf(table); ;) {
        const areMore = await sweep();
        const rest = await rowsOf(table);
        sizes.push(rows - rest);
        rows = rest;
        if (!areMore) break;
      }
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
      expect((await rowsOf(table)) - before).toBe(left);
      expect(log.text()).toBe('');
    },
  );

  test('reads by an index, in whichever table [S-189]', async () => {
    await sql('TRUNCATE sign_in_failures, known_devices, internal_requests, mail_budgets');
    await sql(
      Object.values(tables)
        .map(({ fill }) => fill)
        .join(';'),
    );
    await sql(`INSERT INTO deleted_organizations (id, deleted_at, purge_at, is_settled)
      SELECT gen_random_uuid(), now(), now() + INTERVAL '1 day', true FROM ${many}`);
    await sql('ANALYZE');
    const ofDeletions = ['deletions-next-unsettled', 'deletions-next-due', 'deletion-purge-audit'];
    const texts = definedStatements('auth-service').filter(
      ({ name }) =>
        ofDeletions.includes(name) || (name.endsWith('-sweep') && !name.startsWith('invitations')),
    );
    expect(texts.length).toBe(Object.keys(tables).length + ofDeletions.length);
    for (const { name, text } of texts) {
      const [, called] = /app\.(sweep_\w+)/.exec(text) ?? [];
      const [body] = called ? await sql('SELECT prosrc FROM pg_proc WHERE proname = $1', [called]) : [];
      const deletion = /DELETE[^;]*/.exec(String(body?.['prosrc']))?.[0].replaceAll('retention_days', '400');
      const plan = await sql(`EXPLAIN (GENERIC_PLAN) ${deletion ?? text}`);
      const lines = plan.map((row) => String(row['QUERY PLAN'])).join('\n');
      expect(lines, name).toMatch(/Index (?:Only )?Scan/);
      expect(lines, name).not.toMatch(/Seq Scan/);
    }
  });

  test('of ended sessions keeps those whose refresh token leads to one that goes on, until that one is gone', async () => {
    const user = await signUp(app, 'Grace');
    const [live, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const add = (id: string, ended: string | null, continuedBy: string | null = null) =>
      sql(
        `INSERT INTO sessions (user_id, id, authenticated_at, refresh_generation, refresh_hash, refresh_rotated_at,
          created_at, last_active_at, revoked_at, continued_by, expires_at)
        VALUES ($1, $2, now(), 1, sha256(''), now(), now(), now(), now() - $3::interval, $4, now() + INTERVAL '5 days')`,
        [user.id, id, ended, continuedBy],
      );
    await add(live, null);
    await add(other, '2 days');
    for (const continuedBy of [live, live, other, null])
      await add(crypto.randomUUID(), '3 days', continuedBy);
    const left = async () => {
      while (await sweeps['endedSessions']!());
      const rows = await sql('SELECT id, continued_by FROM sessions WHERE user_id = $1 AND id <> $2', [
        user.id,
        user.sessionId,
      ]);
      return rows.map((row) => row['continued_by'] ?? row['id']).toSorted();
    };
    expect(await left()).toEqual([live, live, live]);
    await sql(`UPDATE sessions SET revoked_at = now() - INTERVAL '2 days' WHERE id = $1`, [live]);
    expect(await left()).toEqual([]);
  });

  test('keeps the trail for ever if configured, and at least 30 days [S-189]', async () => {
    expect(sweepsOf({ AUDIT_RETENTION_DAYS: 0 })).not.toHaveProperty('audit');
    await sql(`DELETE FROM audit_events WHERE action = 'sweep.test'`);
    await sql(`INSERT INTO audit_events (organization_id, action, details, created_at)
      SELECT '${own}', 'sweep.test', jsonb_build_object('days', days), now() - days * INTERVAL '1 day' FROM unnest(ARRAY[29, 31]) AS days`);
    await sweepsOf({ AUDIT_RETENTION_DAYS: 1 })['audit']!();
    expect(await sql(`SELECT details FROM audit_events WHERE action = 'sweep.test'`)).toEqual([
      { details: { days: 29 } },
    ]);
  });

  test('continues in the next run after its maximum of batches', async () => {
    await sql('DELETE FROM internal_requests');
    await sql(`INSERT INTO internal_requests (key, digest, user_id, created_at)
      SELECT 'key ' || n, decode(repeat('00', 32), 'hex'), gen_random_uuid(), now() - INTERVAL '2 days' FROM generate_series(1, 3500) AS n`);
    const maintenance = new Maintenance({
      database,
      sweeps: { internalRequests: sweeps['internalRequests']! },
      logger,
      batchesMax: 2,
    });
    await maintenance.run();
    expect(await rowsOf('internal_requests')).toBe(1_500);
    await maintenance.run();
    expect(await rowsOf('internal_requests')).toBe(0);
  });

  test('leaves locked rows to a later run, without waiting', async () => {
    await sql('DELETE FROM two_factor_challenges');
    await sql(tables['challenges']!.fill);
    const locked = 'SELECT id FROM two_factor_challenges ORDER BY expires_at, id LIMIT 1';
    const other = new pg.Client(service.database.adminUrl);
    await other.connect();
    await other.query('BEGIN');
    await other.query(`${locked} FOR UPDATE`);
    while (await sweeps['challenges']!());
    expect(await rowsOf('two_factor_challenges')).toBe(2);
    await other.query('ROLLBACK');
    await other.end();
    await sweeps['challenges']!();
    expect(await rowsOf('two_factor_challenges')).toBe(1);
  });
});
