import { connected } from '@tenantry/dev-database';

/**
 * The tables of a database in which any column of any row mentions a text, such as an id: by the catalog, so that a table
 * that is new is looked into by itself.
 *
 * @param adminUrl as a superuser, whom no policy keeps from a row
 * @returns how many rows mention it, by table
 */
export async function mentionsOf(adminUrl: string, text: string): Promise<Readonly<Record<string, number>>> {
  return connected(adminUrl, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND n.nspname !~ '^(pg_|information_schema$)' ORDER BY name`,
    );
    const mentions: Record<string, number> = {};
    for (const { name } of tables) {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${name} AS t WHERE strpos(to_jsonb(t)::text, $1) > 0`,
        [text],
      );
      const count = rows[0]?.count ?? 0;
      if (count > 0) mentions[name] = count;
    }
    return mentions;
  });
}
