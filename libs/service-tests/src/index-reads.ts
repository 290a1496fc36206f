import type pg from 'pg';

/** Whose reads are counted. */
export interface ReadsOptions {
  readonly admin: pg.Pool | pg.Client;
  /** The pool of the service, whose one connection does the reading. */
  readonly pool: { query(text: string): Promise<unknown> };
  readonly table: string;
}

/** How many entries `work` reads from which index of a table, and how many rows sequentially. */
export async function readsOf(options: ReadsOptions, work: () => Promise<void>): Promise<[string, number][]> {
  const before = await readsSoFar(options);
  await work();
  const after = await readsSoFar(options);
  return [...after]
    .map(([name, reads]): [string, number] => [name, reads - (before.get(name) ?? 0)])
    .filter(([, reads]) => reads > 0)
    .toSorted();
}

async function readsSoFar({ admin, pool, table }: ReadsOptions): Promise<Map<string, number>> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  await pool.query('SELECT 1');
  const { rows } = await admin.query<{ name: string; reads: string }>(
    `SELECT indexrelname AS name, idx_tup_read AS reads FROM pg_stat_user_indexes WHERE relname = $1
     UNION ALL SELECT 'sequentially', seq_tup_read FROM pg_stat_user_tables WHERE relname = $1`,
    [table],
  );
  return new Map(rows.map(({ name, reads }) => [name, Number(reads)]));
}
