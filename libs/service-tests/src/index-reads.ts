import type pg from 'pg';

/** Whose reads are counted. */
export interface ReadsOptions {
  /** One connection, which may have filled the tables. */
  readonly admin: pg.Pool | pg.Client;
  /**
   * The pool of the service that does the reading, of one connection: what a connection has read is counted when it is next
   * used, and with several some of it would be counted late.
   */
  readonly pool: pg.Pool;
  readonly tables: readonly string[];
}

/** What `work` reads of some tables, by the name of an index or `<table> sequentially`. */
export interface Reads {
  /** How often. */
  readonly scans: number;
  /** How many entries of the index, or rows of the table. */
  readonly entries: number;
}

/** How `work` reads some tables: by which of their indexes, or sequentially. */
export async function readsOf(
  options: ReadsOptions,
  work: () => Promise<void>,
): Promise<ReadonlyMap<string, Reads>> {
  const before = await readsSoFar(options);
  await work();
  const after = await readsSoFar(options);
  const grown = [...after].map(([name, { scans, entries }]): [string, Reads] => {
    const { scans: scansBefore = 0, entries: entriesBefore = 0 } = before.get(name) ?? {};
    return [name, { scans: scans - scansBefore, entries: entries - entriesBefore }];
  });
  return new Map(grown.filter(([, { scans }]) => scans > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function readsSoFar({ admin, pool, tables }: ReadsOptions): Promise<Map<string, Reads>> {
  for (const reader of [admin, pool]) {
    await reader.query('SELECT pg_stat_force_next_flush()');
    await reader.query('SELECT 1');
  }
  const { rows } = await admin.query<{ name: string; scans: string; entries: string }>(
    `SELECT indexrelname AS name, idx_scan AS scans, idx_tup_read AS entries FROM pg_stat_user_indexes
     WHERE relname = ANY ($1)
     UNION ALL SELECT relname || ' sequentially', seq_scan, seq_tup_read FROM pg_stat_user_tables WHERE relname = ANY ($1)`,
    [tables],
  );
  return new Map(
    rows.map(({ name, scans, entries }) => [name, { scans: Number(scans), entries: Number(entries) }]),
  );
}

/** Has the database plan as on solid-state disks, whichever this machine has. */
export async function planForFastDisks({ admin, pool }: Omit<ReadsOptions, 'tables'>): Promise<void> {
  await admin.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 1.1', current_database()); END $$`,
  );
  // It holds for connections made from now on.
  await pool.query(`SELECT set_config('random_page_cost', '1.1', false)`);
}
