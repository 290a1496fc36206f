import type { TestDatabase } from '@tenantry/test-kit';

/** The tables of a service, each with whether an organization owns its rows. */
export async function tablesOf({ query }: TestDatabase): Promise<ReadonlyMap<string, boolean>> {
  const rows = await query<{ name: string; owned: boolean }>(
    `SELECT quote_ident(c.relname) AS name, EXISTS (
       SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id'
     ) AS owned
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'`,
  );
  return new Map(rows.map(({ name, owned }) => [name, owned]));
}

/** How many rows each table has, across organizations. */
export async function rowCounts(database: TestDatabase): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const table of (await tablesOf(database)).keys()) {
    const rows = await database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
    counts.set(table, rows[0]?.count ?? 0);
  }
  return counts;
}
