import { randomUUID } from 'node:crypto';
import { Outbox } from '@tenantry/service/work';
import type { TenantDatabase } from '@tenantry/tenancy';
import { definedStatements } from '@tenantry/tenancy/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DueWorkQueue } from '../../src/work/due-work-queue.ts';
import { createFixture, type Fixture } from './fixture/database.ts';

const outbox = new Outbox<{ letter: { readonly text: string } }>();
const claim = { inHand: [], leaseSeconds: 30, perOrganizationMax: 2 };

let fixture: Fixture;
let database: TenantDatabase;
let queue: DueWorkQueue;
beforeAll(async () => {
  fixture = await createFixture();
  database = fixture.open();
});
afterAll(() => fixture.drop());
beforeEach(async () => {
  await fixture.admin.query('DELETE FROM due_work; DELETE FROM outbox; DELETE FROM organization_ends');
  queue = new DueWorkQueue(database, ['outbox', 'sweep']);
});

const sql = <Row extends object>(text: string, values: readonly unknown[] = []) =>
  fixture.admin.query<Row>(text, [...values]).then(({ rows }) => rows);
const within = (organizationId: string) => database.within({ organizationId });
const put = (organizationId: string, subjectId = randomUUID()) =>
  within(organizationId).transaction((tx) =>
    outbox.put(tx, { topic: 'letter', subjectId, payload: { text: 'hello' } }),
  );
const end = (organizationId: string) =>
  sql('INSERT INTO organization_ends (organization_id, ended_at, purge_at) VALUES ($1, now(), now())', [
    organizationId,
  ]);
const restore = (organizationId: string) =>
  sql('DELETE FROM organization_ends WHERE organization_id = $1', [organizationId]);
const many = (organizationId: string, count: number) =>
  sql(
    `INSERT INTO due_work (organization_id, kind, id, is_ready, next_attempt_at)
     SELECT $1, 'outbox', gen_random_uuid(), true, now() - INTERVAL '1 s' FROM generate_series(1, $2::int)`,
    [organizationId, count],
  );
const waiting = async () => Object.fromEntries((await queue.backlog()).map(({ work, due }) => [work, due]));

it('is due at once: its time is stored in whole milliseconds, and rounded up in half of all cases', async () => {
  for (let n = 0; n < 100; n += 1) {
    await put(randomUUID());
    expect(await queue.claim(claim)).toBeDefined();
  }
});

describe('work of an organization that was deleted', () => {
  it('is not begun, and not counted as waiting, while that of others is [S-191]', async () => {
    const [deleted, living] = [randomUUID(), randomUUID()];
    await put(deleted);
    await end(deleted);
    await expect.poll(waiting).toEqual({ outbox: 0, sweep: 0 });
    await put(living);
    await put(deleted);
    await expect.poll(waiting).toEqual({ outbox: 1, sweep: 0 });
    expect((await queue.claim(claim))?.organizationId).toBe(living);
    expect(await queue.claim(claim)).toBeUndefined();
    expect(await sql('SELECT attempts FROM due_work WHERE organization_id = $1', [deleted])).toEqual([
      { attempts: 0 },
      { attempts: 0 },
    ]);
  });

  it('is passed over once, however much there is of it: later claims do not meet it', async () => {
    const [deleted, living] = [randomUUID(), randomUUID()];
    await many(deleted, 12_000);
    await end(deleted);
    expect(await queue.claim(claim)).toBeUndefined();
    const due = 'SELECT FROM due_work WHERE is_ready OR next_attempt_at <= now()';
    expect(await sql(due)).toHaveLength(0);
    await many(living, 1);
    const text = definedStatements('service').find(({ name }) => name === 'due-work-claim')?.text ?? '';
    await sql('VACUUM ANALYZE due_work');
    const client = await fixture.admin.connect();
    await client.query(`BEGIN; SET plan_cache_mode = force_generic_plan; PREPARE c AS ${text}`);
    const [arc, next] = [
      `'{${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}}'`,
      `'{ffffffff-ffff-ffff-ffff-ffffffffffff}'`,
    ];
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) EXECUTE c('{outbox}', ${arc}, ${next}, 30, 2)`,
    );
    await client.query('ROLLBACK; DEALLOCATE c; RESET plan_cache_mode');
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).not.toContain('Seq Scan on due_work');
    expect(Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])).toBeLessThan(100);
  });

  it('continues as soon as the organization is restored', async () => {
    const organizationId = randomUUID();
    const subjectId = randomUUID();
    const { id } = await put(organizationId, subjectId);
    await expect.poll(() => queue.claim(claim)).toMatchObject({ id });
    await end(organizationId);
    // Its process has died, and its lease runs out.
    await sql(`UPDATE due_work SET next_attempt_at = now() - INTERVAL '1 s'`);
    queue = new DueWorkQueue(database, ['outbox', 'sweep']);
    expect(await queue.claim(claim)).toBeUndefined();
    expect(await outbox.list(within(organizationId), { topic: 'letter', subjectId })).toMatchObject([
      { state: 'waiting', nextAttemptAt: null },
    ]);
    await restore(organizationId);
    await expect.poll(() => queue.claim(claim)).toMatchObject({ id, attempts: 2, unfinished: 1 });
  });

  it('that is due later is left as it is by the restore', async () => {
    const organizationId = randomUUID();
    await put(organizationId);
    await sql(`UPDATE due_work SET is_ready = false, next_attempt_at = now() + INTERVAL '1 day'`);
    await end(organizationId);
    expect(await queue.claim(claim)).toBeUndefined();
    await restore(organizationId);
    expect(await queue.claim(claim)).toBeUndefined();
  });

  it('is never left at rest by instances that look while it is restored', async () => {
    const organizations = Array.from({ length: 20 }, () => randomUUID());
    for (const organizationId of organizations) {
      await many(organizationId, 20);
      await end(organizationId);
    }
    const queues = Array.from({ length: 4 }, () => new DueWorkQueue(fixture.open(), ['outbox']));
    const found: unknown[] = [];
    const drain = async (each: DueWorkQueue) => {
      for (let item = await each.claim(claim); item; item = await each.claim(claim)) found.push(item.id);
    };
    await Promise.all([...queues.map(drain), ...organizations.map(restore)]);
    for (const each of queues) await drain(each);
    expect(new Set(found).size).toBe(400);
    expect(found).toHaveLength(400);
  });
});

it('is counted by its kind', async () => {
  await put(randomUUID());
  await sql(`INSERT INTO due_work (organization_id, kind, id, next_attempt_at)
    SELECT gen_random_uuid(), 'sweep', gen_random_uuid(), now() - INTERVAL '1 s'
    FROM generate_series(1, 3)`);
  await expect.poll(waiting).toEqual({ outbox: 1, sweep: 3 });
});
