import { createTestDatabase, type TestDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import type { ListQuery } from './lists.ts';

/** A migrated leads database that can be filled quickly. */
export interface LeadsDatabase extends TestDatabase {
  /** The superuser's connection, past every policy. */
  readonly admin: pg.Pool;
  /** Gives an organization `count` leads, one a second up to now, with names and addresses of several lands. */
  fill(organizationId: string, count: number): Promise<void>;
  /** Brings statistics and visibility map up to date, as autovacuum does in time. */
  settle(): Promise<void>;
}

const fill = `
  INSERT INTO leads (organization_id, name, email, phone, status, source, created_at)
  SELECT $1,
    (ARRAY['Åsa', 'Erik', 'María', 'José', 'Zoë', 'Björn', 'Anna', 'Lars', 'Ingrid', 'Søren'])[1 + n % 10] || ' '
      || (ARRAY['Lindström', 'Andersson', 'Núñez', 'Müller', 'Ødegård', 'Smith', 'Karlsson'])[1 + n % 7] || ' '
      || left(md5(n::text), 6),
    'lead' || n || '@' || (ARRAY['example.com', 'foretag.se', 'acme.org'])[1 + n % 3],
    '+46 70 ' || n,
    (ARRAY['new', 'contacted', 'qualified', 'lost', 'won'])[1 + n % 5],
    'website',
    now() - ($2 - n) * interval '1 second'
  FROM generate_series(1, $2) n`;

/** Makes the database; `drop()` ends everything. */
export async function createLeadsDatabase(): Promise<LeadsDatabase> {
  const database = await createTestDatabase('leads-service');
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  admin.on('error', () => undefined);
  return {
    ...database,
    admin,
    async fill(organizationId, count) {
      await admin.query(fill, [organizationId, count]);
    },
    async settle() {
      await admin.query('VACUUM (ANALYZE) leads');
      await admin.query('VACUUM (ANALYZE) lead_counts');
    },
    async drop() {
      await admin.end();
      await database.drop();
    },
  };
}

/** The first page of the newest leads. */
export const firstLeads = { page: 1, pageSize: 10, sort: '-createdAt', deleted: false } as const;

/** The very function by which leads-service answers its list. */
export async function listLeads(): Promise<ListQuery> {
  const source = new URL('../../apps/leads-service/src/leads/lead-page.repository.ts', import.meta.url);
  const { queryLeadPage } = (await import(source.href)) as { queryLeadPage: ListQuery };
  return queryLeadPage;
}
