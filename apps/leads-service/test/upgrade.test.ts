import { randomUUID } from 'node:crypto';
import { createFormerDatabase, type FormerDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: FormerDatabase;
let admin: pg.Pool;
beforeAll(async () => {
  database = await createFormerDatabase('leads-service', { before: '20261121190000' });
  admin = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

const organizations = [randomUUID(), randomUUID()];

/** Gives each organization two new leads and three won ones. */
async function addLeads(): Promise<void> {
  await admin.query(
    `INSERT INTO leads (organization_id, name, email, status)
     SELECT o, 'Ada', 'ada@example.com', CASE n % 2 WHEN 0 THEN 'new' ELSE 'won' END
     FROM unnest($1::uuid[]) o, generate_series(1, 5) n`,
    [organizations],
  );
}

async function counts(): Promise<number[]> {
  const { rows } = await admin.query<{ total: number }>(
    `SELECT sum(change)::int AS total FROM lead_counts GROUP BY organization_id, status ORDER BY organization_id, status`,
  );
  return rows.map(({ total }) => total);
}

it('counts of leads survive the end of their sequence, and are still kept', async () => {
  for (let n = 0; n < 20; n++) await addLeads();
  expect(await counts()).toEqual([40, 60, 40, 60]);

  await database.upgrade();
  expect(await counts()).toEqual([40, 60, 40, 60]);
  // Often enough that the counts are folded as well.
  for (let n = 0; n < 500; n++) await addLeads();
  expect(await counts()).toEqual([1040, 1560, 1040, 1560]);
});

it('entries from before the retention setting are deleted by it as well [S-190]', async () => {
  const before = await createFormerDatabase('leads-service', { before: '20261122043000' });
  const client = new pg.Client(before.adminUrl);
  await client.connect();
  await client.query(
    `INSERT INTO audit_events (organization_id, action)
     SELECT o, 'lead.created' FROM unnest($1::uuid[]) o, generate_series(1, 5)`,
    [organizations],
  );
  await before.upgrade();
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM due_work WHERE kind = 'audit-retention' AND organization_id = id`,
  );
  await client.end();
  await before.drop();
  expect(rows.map(({ id }) => id).toSorted()).toEqual(organizations.toSorted());
});

it('an upgrade folds the texts that are there already as it folds new ones, which is no change of a lead', async () => {
  const before = await createFormerDatabase('leads-service', { before: '20261127221000' });
  const client = new pg.Client(before.adminUrl);
  await client.connect();
  try {
    const names = [
      'Seán O’Brien',
      'Anna\u2011Karin',
      'Per\u00a0Ek',
      'Sara  Blank',
      'ﬁrma',
      'ｶﾞｲﾄﾞ',
      '한국',
      'Åsa',
      "O'Hara",
    ];
    await client.query(
      `INSERT INTO leads (organization_id, name, email, source)
       SELECT o, name, 'max@xn--mller-dach-9db.example', name FROM unnest($1::uuid[]) o, unnest($2::text[]) AS names (name)`,
      [organizations, names],
    );
    const versions = async () =>
      (await client.query<object>('SELECT id, version, updated_at FROM leads ORDER BY id')).rows;
    const untouched = await versions();
    await before.upgrade();
    expect(await versions()).toEqual(untouched);
    const { rows } = await client.query(
      `SELECT DISTINCT name FROM leads WHERE folded_name <> app.fold_text(name) OR folded_source <> app.fold_text(source)
         OR folded_email <> 'max@xn--mller-dach-9db.example max@muller-dach.example'`,
    );
    expect(rows).toEqual([]);
    await client.query(`UPDATE leads SET name = 'Åsa' WHERE name = 'Åsa'`);
    const { rows: forced } = await client.query(
      `SELECT relforcerowsecurity AS forced FROM pg_class WHERE relname = 'leads'`,
    );
    expect(forced).toEqual([{ forced: true }]);
    expect(await versions()).not.toEqual(untouched);
  } finally {
    await client.end();
    await before.drop();
  }
});

it('what organizations store already is counted, and they keep the large quota', async () => {
  const before = await createFormerDatabase('leads-service', { before: '20261127231500' });
  const client = new pg.Client(before.adminUrl);
  await client.connect();
  await client.query(
    `INSERT INTO leads (organization_id, name, email)
     SELECT o, 'Ada', 'ada@example.com' FROM unnest($1::uuid[]) o, generate_series(1, 5) n`,
    [organizations],
  );
  await client.query('INSERT INTO event_subjects SELECT o, o, 1 FROM unnest($1::uuid[]) o', [organizations]);
  await before.upgrade();
  const { rows } = await client.query(
    `SELECT sum(u.rows)::int AS rows, sum(u.bytes) > 0 AS "hasBytes", bool_and(q.is_confirmed) AS "isConfirmed"
     FROM storage_use u JOIN storage_quotas q USING (organization_id) GROUP BY organization_id`,
  );
  expect(rows).toEqual(Array(2).fill({ rows: 5, hasBytes: true, isConfirmed: true }));
  await client.end();
  await before.drop();
});
