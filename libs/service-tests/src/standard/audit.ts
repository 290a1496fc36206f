import { randomUUID } from 'node:crypto';
import { definedStatements } from '@tenantry/tenancy/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestService } from '../start.ts';
import type { Standing } from './standing.ts';

/** An audit trail is deleted after its retention, and no sooner; it no longer names a user who was erased. */
export function auditTests(standing: () => Standing): void {
  describe('with its audit trail,', () => {
    retentionTests(standing);
    erasureTests(standing);
  });
}

function retentionTests(standing: () => Standing): void {
  it('deletes entries that are older than it is told, a thousand at a time, and no others [S-190]', async () => {
    const [ada, eve] = [randomUUID(), randomUUID()];
    const service = await startWith(standing(), 60, {
      [ada]: { 61: 2_500, 59: 2 },
      [eve]: { 400: 1, 61: 1, 59: 1, 0: 1 },
    });
    await service.testDatabase.query(`
      CREATE FUNCTION at_most_a_thousand() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT count(*) FROM gone) > 1000 THEN RAISE 'a batch is too large'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER batches AFTER DELETE ON audit_events REFERENCING OLD TABLE AS gone
        FOR EACH STATEMENT EXECUTE FUNCTION at_most_a_thousand()`);
    await aDayLater(service);
    expect(await ages(service, ada)).toEqual([59, 59]);
    expect(await ages(service, eve)).toEqual([59, 0]);
    const again = await service.testDatabase.query(
      `SELECT FROM due_work WHERE kind = 'audit-retention' AND next_attempt_at > clock_timestamp() + INTERVAL '23 hours'`,
    );
    expect(again).toHaveLength(2);
  });

  it('keeps every entry for 30 days at least, whatever it is told [S-190]', async () => {
    const organizationId = randomUUID();
    const service = await startWith(standing(), 1, { [organizationId]: { 31: 1, 29: 1 } });
    const { pool } = service.database;
    await pool.within({ organizationId }, async () => {
      await pool.query(
        `DELETE FROM audit_events WHERE uuid_extract_timestamp(id) > now() - INTERVAL '30 days'`,
      );
    });
    expect(await ages(service, organizationId)).toEqual([31, 29]);
    await aDayLater(service);
    expect(await ages(service, organizationId)).toEqual([29]);
  });

  it('keeps entries for ever where it is told to', async () => {
    const organizationId = randomUUID();
    const service = await startWith(standing(), 0, { [organizationId]: { 4_000: 1 } });
    await aDayLater(service, { deletes: false });
    expect(await ages(service, organizationId)).toEqual([4_000]);
  });

  it('finds old entries of an organization by the primary key', async () => {
    const service = await startWith(standing(), 60, {
      [randomUUID()]: { 61: 1_000, 1: 20_000 },
      [randomUUID()]: { 1: 20_000 },
    });
    await service.app.ready();
    await service.testDatabase.query('ANALYZE audit_events');
    const statement = definedStatements('service').find(({ name }) => name === 'audit-sweep');
    const plan = await service.testDatabase.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (GENERIC_PLAN) ${statement?.text}`,
    );
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(lines).toContain('audit_events_pkey');
    expect(lines).not.toContain('Seq Scan');
  });
}

function erasureTests(standing: () => Standing): void {
  it('forgets the name of a user who was erased in every entry, and no other name [S-196]', async () => {
    const [organizationId, other, userId] = [randomUUID(), randomUUID(), randomUUID()];
    const service = await startWith(standing(), 400, {});
    const add = (place: string, actor: string, count: number) =>
      service.testDatabase.query(
        `INSERT INTO audit_events (organization_id, action, actor_kind, actor_user_id, actor_name, target_type,
           target_id, target_name)
         SELECT $1, 'of.tests', 'user', $2, 'Ada', 'thing', $2, 'Thing' FROM generate_series(1, $3::int)`,
        [place, actor, count],
      );
    await add(organizationId, userId, 2_500);
    await add(organizationId, randomUUID(), 2);
    await add(other, userId, 1);
    await service.testDatabase.query(
      `INSERT INTO due_work (organization_id, kind, id, next_attempt_at, is_ready)
       VALUES ($1, 'audit-names', $2, now(), true)`,
      [organizationId, userId],
    );
    await service.app.ready();
    const named = () =>
      service.testDatabase
        .query(`SELECT actor_name AS actor, target_name AS target, count(*)::int FROM audit_events
         GROUP BY 1, 2 ORDER BY 1`);
    await expect.poll(named).toEqual([
      { actor: 'Ada', target: 'Thing', count: 3 },
      { actor: null, target: 'Thing', count: 2_500 },
    ]);
  });
}

type Started = TestService;

/** Starts the service with a trail: how many entries are so many days old, by organization. */
async function startWith(
  { start }: Standing,
  retentionDays: number,
  trail: Readonly<Record<string, Readonly<Record<number, number>>>>,
): Promise<Started> {
  const service = await start({ env: { AUDIT_RETENTION_DAYS: String(retentionDays) } });
  onTestFinished(() => service.close());
  for (const [organizationId, entries] of Object.entries(trail)) {
    for (const [days, count] of Object.entries(entries)) {
      await service.testDatabase.query(
        `INSERT INTO audit_events (organization_id, id, action)
         SELECT $1, uuidv7(make_interval(days => -$2::int)), 'of.tests' FROM generate_series(1, $3::int)`,
        [organizationId, days, count],
      );
    }
  }
  return service;
}

/** What is due is done: work that has been taken on is done before the end. */
async function aDayLater(service: Started, { deletes = true } = {}): Promise<void> {
  await service.testDatabase.query(
    `UPDATE due_work SET next_attempt_at = next_attempt_at - INTERVAL '1 day 1 minute'`,
  );
  await service.app.ready();
  const due = () =>
    service.testDatabase.query('SELECT FROM due_work WHERE next_attempt_at <= clock_timestamp()');
  if (deletes) await expect.poll(due).toEqual([]);
  await service.app.close();
}

/** How many days old the entries are that an organization has left. */
async function ages(service: Started, organizationId: string): Promise<number[]> {
  const rows = await service.testDatabase.query<{ days: number }>(
    `SELECT extract(day FROM clock_timestamp() - uuid_extract_timestamp(id))::int AS days
     FROM audit_events WHERE organization_id = $1 ORDER BY id`,
    [organizationId],
  );
  return rows.map(({ days }) => days);
}
