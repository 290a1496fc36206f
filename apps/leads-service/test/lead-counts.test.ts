import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leadStatus } from '../src/leads/lead-status.ts';
import { models } from '../src/database.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  service = await startService();
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 10 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

const counted = `SELECT status, sum(change)::int AS total FROM lead_counts WHERE organization_id = $1
  GROUP BY status HAVING sum(change) <> 0`;
const live = `SELECT status, count(*)::int AS total FROM leads WHERE organization_id = $1 AND deleted_at IS NULL
  GROUP BY status`;

/** Both ways of counting, in one snapshot. */
async function bothCounts(organizationId: string): Promise<{ counted: object; live: object }> {
  const { rows } = await admin.query<{ counted: object; live: object }>(
    `SELECT (SELECT coalesce(jsonb_object_agg(status, total), '{}') FROM (${counted}) c) AS counted,
       (SELECT coalesce(jsonb_object_agg(status, total), '{}') FROM (${live}) l) AS live`,
    [organizationId],
  );
  return rows[0]!;
}

/** A writer that does `steps` random things to the leads of one organization, some of them rolled back. */
async function writer(organizationId: string, steps: readonly number[]): Promise<void> {
  for (const step of steps) {
    const tenant = service.database.within({ organizationId });
    await tenant
      .transaction(async (tx) => {
        const status = leadStatus.states[step % leadStatus.states.length]!;
        const some = await models(tx).lead.findMany({ where: { deletedAt: null }, take: 3, skip: step % 5 });
        const ids = some.map(({ id }) => id);
        const kind = step % 4;
        if (kind < 2 || ids.length === 0) {
          const row = { organizationId, name: 'A', email: 'a@example.com', status };
          await models(tx).lead.createMany({ data: Array<typeof row>(1 + (step % 3)).fill(row) });
        } else if (kind === 2) {
          await models(tx).lead.updateMany({ where: { id: { in: ids } }, data: { status } });
        } else {
          await models(tx).lead.updateMany({ where: { id: { in: ids } }, data: { deletedAt: new Date() } });
        }
        if (step % 11 === 0) throw new RolledBack();
      })
      .catch((error: unknown) => {
        // Two writers may meet on rows in different order; PostgreSQL then stops one of them.
        if (error instanceof RolledBack || (error as { code?: string }).code === 'P2034') return;
        throw error;
      });
  }
}

class RolledBack extends Error {}

/** Folds all the time, as one write in 64 does. */
async function folder(organizationId: string, until: { done: boolean }): Promise<number> {
  let folds = 0;
  while (!until.done) {
    await admin.query(
      `INSERT INTO lead_counts (organization_id, status, change) SELECT $1, 'new', 0 FROM generate_series(1, 2)`,
      [organizationId],
    );
    folds++;
  }
  return folds;
}

describe('live counts', () => {
  it('are exact in every snapshot while leads are created, moved, deleted, rolled back and counts folded', async () => {
    const { organizationId } = await service.member();
    const random = fc.sample(fc.nat(), { numRuns: 6 * 60, seed: 42 });
    const until = { done: false };
    const folding = [folder(organizationId, until), folder(organizationId, until)];
    let snapshots = 0;
    const watching = (async () => {
      while (!until.done) {
        const both = await bothCounts(organizationId);
        expect(both.counted).toEqual(both.live);
        snapshots++;
      }
    })();
    await Promise.all(
      Array.from({ length: 6 }, (_, w) => writer(organizationId, random.slice(w * 60, (w + 1) * 60))),
    );
    until.done = true;
    const folds = await Promise.all(folding);
    await watching;

    expect(snapshots).toBeGreaterThan(20);
    expect(folds[0]! + folds[1]!).toBeGreaterThan(64);
    const both = await bothCounts(organizationId);
    expect(both.counted).toEqual(both.live);
    expect(Object.keys(both.live).length).toBeGreaterThan(1);
  });

  it('stay few rows, however many changes were made', async () => {
    const { organizationId } = await service.member();
    const tenant = service.database.within({ organizationId });
    const row = { organizationId, name: 'A', email: 'a@example.com' };
    for (let n = 0; n < 40; n++) {
      await Promise.all(Array.from({ length: 25 }, () => models(tenant).lead.create({ data: row })));
    }
    const { rows } = await admin.query<{ rows: number; total: number }>(
      'SELECT count(*)::int AS rows, sum(change)::int AS total FROM lead_counts WHERE organization_id = $1',
      [organizationId],
    );
    expect(rows[0]?.total).toBe(1000);
    expect(rows[0]?.rows).toBeLessThan(700);
  });

  it('follow a lead that is brought back and one that is erased', async () => {
    const { organizationId } = await service.member();
    const insert = `INSERT INTO leads (organization_id, name, email, status)
      SELECT $1, 'A', 'a@example.com', unnest(ARRAY['new', 'won', 'won'])`;
    await admin.query(insert, [organizationId]);
    await admin.query('UPDATE leads SET deleted_at = now() WHERE organization_id = $1', [organizationId]);
    expect((await bothCounts(organizationId)).counted).toEqual({});
    await admin.query(`UPDATE leads SET deleted_at = NULL WHERE organization_id = $1 AND status = 'won'`, [
      organizationId,
    ]);
    expect((await bothCounts(organizationId)).counted).toEqual({ won: 2 });
    await admin.query('DELETE FROM leads WHERE organization_id = $1', [organizationId]);
    expect(await bothCounts(organizationId)).toEqual({ counted: {}, live: {} });
  });

  it('of one organization wait for no other: a write held open blocks neither writes nor reads nor folds', async () => {
    const caller = await service.member();
    const { organizationId } = caller;
    const held = await admin.connect();
    await held.query('BEGIN');
    await held.query(
      `INSERT INTO leads (organization_id, name, email) VALUES ($1, 'Held', 'h@example.com')`,
      [organizationId],
    );
    const until = { done: false };
    const folding = folder(organizationId, until);
    await writer(organizationId, [0, 1, 4, 5]);
    const before = (await caller.send('GET', '/api/leads')).body;
    expect(before.meta.total).toBe(before.data.length);
    await held.query('COMMIT');
    held.release();
    until.done = true;
    await folding;
    expect((await caller.send('GET', '/api/leads')).body.meta.total).toBe(before.meta.total + 1);
  });
});
