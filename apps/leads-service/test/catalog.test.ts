import { planForFastDisks, readsOf } from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLead, startService, type TestService } from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  service = await startService();
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

describe('the database of leads', () => {
  it('keeps the limits by itself', async () => {
    const insert = (column: string, value: string) =>
      admin.query(
        `INSERT INTO leads (organization_id, ${['name', 'email', column].filter((c, i, all) => all.indexOf(c) === i).join(', ')})
         VALUES (gen_random_uuid(), ${column === 'name' ? '$1' : `'Ada'`}, ${column === 'email' ? '$1' : `'a@b.se'`}${['name', 'email'].includes(column) ? '' : ', $1'})`,
        [value],
      );
    for (const [column, value] of [
      ['name', ''],
      ['name', 'a'.repeat(101)],
      ['email', `${'a'.repeat(250)}@b.se`],
      ['phone', '1'.repeat(21)],
      ['source', 's'.repeat(51)],
      ['notes', 'n'.repeat(2001)],
      ['status', 'open'],
    ] as const) {
      await expect(insert(column, value)).rejects.toMatchObject({ code: '23514' });
    }
  });

  it('vacuums the table before its visibility map grows old', async () => {
    const { rows } = await admin.query<{ reloptions: string[] }>(
      `SELECT reloptions FROM pg_class WHERE relname = 'leads'`,
    );
    expect(rows[0]?.reloptions).toEqual([
      'autovacuum_vacuum_scale_factor=0.02',
      'autovacuum_vacuum_insert_scale_factor=0.02',
    ]);
  });
});

describe('each list is read from its index', () => {
  let service: TestService;
  let admin: pg.Pool;
  const organizationId = '10000000-0000-4000-8000-000000000000';
  beforeAll(async () => {
    service = await startService({ env: { DATABASE_POOL_SIZE: '1' } });
    admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
    admin.on('error', () => undefined);
    await planForFastDisks({ admin, pool: service.database.pool });
    // Most of the table is other organizations', of 100 leads each.
    await admin.query(
      `INSERT INTO leads (organization_id, name, email, status)
       SELECT overlay($1 placing lpad((n % 600 + 1)::text, 12, '0') from 25)::uuid, 'Other ' || n,
         'other@example.com', CASE n % 3 WHEN 0 THEN 'new' ELSE 'won' END
       FROM generate_series(1, 60000) n`,
      [organizationId],
    );
    await admin.query(
      `INSERT INTO leads (organization_id, name, email, status, source, created_at)
       SELECT $1, 'Lead ' || n, 'lead' || n || '@example.com', CASE n % 3 WHEN 0 THEN 'new' ELSE 'won' END, 'Web', now() - n * interval '1 s'
       FROM generate_series(1, 20000) n`,
      [organizationId],
    );
    await admin.query('VACUUM (ANALYZE) leads');
    await createLead(await service.member({ organizationId }));
  });

  afterAll(async () => {
    await admin.end();
    await service.close();
  });

  it.each([
    ['', ['leads_by_creation', 'lead_counts_pkey', 'leads_pkey']],
    ['?page=1500', ['leads_by_creation', 'lead_counts_pkey', 'leads_pkey']],
    ['?sort=createdAt', ['leads_by_creation', 'lead_counts_pkey', 'leads_pkey']],
    ['?status=new', ['leads_by_status', 'lead_counts_pkey', 'leads_pkey']],
    ['?page=2000', ['leads_by_creation', 'lead_counts_pkey', 'leads_pkey']],
    ['?status=new,contacted', ['leads_by_creation', 'lead_counts_pkey', 'leads_pkey']],
    ['?status=new,contacted&sort=name', ['leads_by_name', 'lead_counts_pkey', 'leads_pkey']],
    ['?status=new&sort=email', ['leads_by_creation', 'lead_counts_pkey', 'leads_pkey']],
    ['?source=web', ['leads_by_creation', 'leads_pkey']],
    ['?source=web&search=lead&sort=-updatedAt', ['leads_by_creation', 'leads_pkey']],
    ['?search=lead&sort=name', ['leads_by_creation', 'leads_by_name', 'leads_pkey']],
    ['?createdFrom=2026-01-01T00:00:00Z&createdTo=2099-01-01T00:00:00Z', ['leads_by_creation', 'leads_pkey']],
    ['?createdFrom=2026-01-01T00:00:00Z&sort=phone', ['leads_by_creation', 'leads_pkey']],
    ['?sort=updatedAt', ['leads_by_change', 'lead_counts_pkey', 'leads_pkey']],
    ['?sort=-email&page=1000', ['leads_by_email', 'lead_counts_pkey', 'leads_pkey']],
    ['?sort=phone', ['leads_by_phone', 'lead_counts_pkey', 'leads_pkey']],
    ['?sort=-status', ['leads_by_status', 'lead_counts_pkey', 'leads_pkey']],
    ['?sort=source', ['leads_by_source', 'lead_counts_pkey', 'leads_pkey']],
    // Of which there are so few that the index finds them.
    ['?search=lead%201999', ['leads_by_creation', 'leads_by_trigrams', 'leads_pkey']],
    ['?search=lead%201999&status=new&sort=name', ['leads_by_creation', 'leads_by_trigrams', 'leads_pkey']],
    ['?search=9', ['leads_by_creation', 'leads_pkey']],
    ['?search=lead', ['leads_by_creation', 'leads_pkey']],
    ['?sort=name', ['leads_by_name', 'lead_counts_pkey', 'leads_pkey']],
    ['?sort=-name', ['leads_by_name', 'lead_counts_pkey', 'leads_pkey']],
  ])('%s [S-146]', async (query, indexes) => {
    const member = await service.member({ organizationId });
    const { pool } = service.database;
    const reads = await readsOf({ admin, pool, tables: ['leads', 'lead_counts'] }, async () => {
      expect((await member.send('GET', `/api/leads${query}`)).status).toBe(200);
    });
    expect([...reads.keys()]).toEqual(indexes.toSorted());
  });
});
