import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { sized } from './figures.ts';

/** An organization and how many rows it has. */
export interface Tenant {
  readonly size: number;
  readonly organizationId: string;
}

/** What fills the tables of one database. */
export interface Seed {
  /** Superuser's connections. */
  readonly admin: pg.Pool;
  /** What is filled; the first is the one that is measured. */
  readonly tables: readonly string[];
  readonly fill: (organizationId: string, count: number) => Promise<void>;
}

/** Rows of the measured table; `BENCH_ROWS` sets another number. */
export const tableSize = Number(process.env['BENCH_ROWS'] ?? sized(5_000_000, 50_000));
/** Of the organizations that are measured: a fifth of the table, a fiftieth, a five-hundredth. */
const tenantSizes = [500, 50, 5].map((part) => tableSize / part);
/** Among whom the rest of the table is divided. */
const neighbours = 1_000;
const connections = 2;

/**
 * Fills a table, once for all that is measured in it: an organization of each size among so many others that the table is
 * full. Nothing is written to the log, and indexes are built when the rows are there, as dense as after a `REINDEX`.
 */
export async function seedTenants({ admin, tables, fill }: Seed): Promise<Tenant[]> {
  const startedAt = performance.now();
  const tenants = tenantSizes.map((size) => ({ size, organizationId: randomUUID() }));
  const rest = tableSize - tenantSizes.reduce((sum, size) => sum + size, 0);
  const others = Array.from({ length: neighbours }, () => ({
    size: Math.ceil(rest / neighbours),
    organizationId: randomUUID(),
  }));
  const indexes = await withoutLogAndIndexes(admin, tables);
  const largestFirst = [...tenants.toReversed(), ...others];
  await eachInTurn(largestFirst, ({ organizationId, size }) => fill(organizationId, size));
  await eachInTurn(indexes, async (definition) => {
    await admin.query(`SET maintenance_work_mem = '512MB'; ${definition}`);
  });
  await admin.query('VACUUM (ANALYZE)');
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`${tableSize.toLocaleString('en')} rows of ${tables[0] ?? ''} in ${seconds} s`);
  return tenants;
}

/** Gives the definitions of the indexes that it drops. Nothing refers to the tables any more: they are only read from here on. */
async function withoutLogAndIndexes(admin: pg.Pool, tables: readonly string[]): Promise<string[]> {
  const { rows: keys } = await admin.query<{ drop: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
     WHERE contype = 'f' AND (conrelid = ANY($1::regclass[]) OR confrelid = ANY($1::regclass[]))`,
    [tables],
  );
  const { rows: indexes } = await admin.query<{ drop: string; definition: string }>(
    `SELECT format('DROP INDEX %s', indexrelid::regclass) AS drop, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index WHERE indrelid = ANY($1::regclass[])
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [tables],
  );
  for (const { drop } of [...keys, ...indexes]) await admin.query(drop);
  for (const table of tables) await admin.query(`ALTER TABLE ${table} SET UNLOGGED`);
  return indexes.map(({ definition }) => definition);
}

/** As many at a time as there are connections. */
async function eachInTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: connections }, next));
}
