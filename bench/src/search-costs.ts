import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { median, report, sized } from './figures.ts';
import { createLeadsDatabase, firstLeads, listLeads, type LeadsDatabase } from './leads-database.ts';
import { askedList, openRows } from './lists.ts';
import type { Tenant } from './seed.ts';

const rareTerm = 'ab12';

/** Measures a search when PostgreSQL has none of the table and its indexes in its cache; the system's own may have. */
export async function measureColdSearches(
  { admin, runtimeUrl }: LeadsDatabase,
  tenant: Tenant | undefined,
): Promise<void> {
  if (!tenant) return;
  const evict = `SELECT pg_buffercache_evict_relation(oid) FROM pg_class
    WHERE oid = 'leads'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'leads'::regclass)`;
  await admin.query('CREATE EXTENSION pg_buffercache');
  const { own, whole } = await inTurns(runtimeUrl, tenant.organizationId, () => admin.query(evict));
  report({
    what: `search, one in thousands, cold, ${tenant.size.toLocaleString('en')} leads`,
    value: `${median(own).toFixed(2)} ms (${(median(own) / median(whole)).toFixed(2)} of reading every lead, ${median(whole).toFixed(2)})`,
  });
}

/** A rare search, in turns with the statement that reads every lead. */
async function inTurns(runtimeUrl: string, organizationId: string, before: () => Promise<unknown>) {
  const database = openRows(runtimeUrl);
  const list = await listLeads();
  const rows = database.within({ organizationId });
  const query = { ...firstLeads, search: rareTerm };
  const { statement, values } = askedList(list, query);
  const [own, whole]: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++) {
    await before();
    own.push(await timed(() => list(rows, query)));
    await before();
    whole.push(await timed(() => rows.query(statement as never, values as never)));
  }
  await database.close();
  return { own, whole };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const others = 20;
const leadsOfOthers = sized(25_000, 500);
const imported = sized(100_000, 5_000);
const atOnce = 500;

const insert = `
  INSERT INTO leads (organization_id, name, email, phone, source)
  SELECT $1, 'Erik Karlsson ' || left(md5(n::text), 6), 'lead' || n || '@example.com', '+46 70 ' || n, 'website'
  FROM generate_series($2::int, $3::int) n`;
const update = `
  UPDATE leads SET status = CASE status WHEN 'new' THEN 'contacted' ELSE 'new' END
  WHERE organization_id = $1 AND email = 'lead' || $2::int || '@example.com'`;

/** One of the two databases that are written to in turns: with the index of trigrams, and without. */
interface Written {
  readonly database: LeadsDatabase;
  readonly ms: Record<string, number[]>;
  readonly wal: Record<string, number>;
}

/** Measures what the index of trigrams costs those who write, and searches what was written so. */
export async function measureWrites(): Promise<void> {
  const organizationId = randomUUID();
  const sides: Written[] = [];
  for (const withIndex of [true, false]) {
    const database = await createLeadsDatabase();
    if (!withIndex) await database.admin.query('DROP INDEX leads_by_trigrams');
    for (let n = 0; n < others; n++) await database.fill(randomUUID(), leadsOfOthers);
    await database.settle();
    sides.push({ database, ms: {}, wal: {} });
  }
  try {
    await eachSide(sides, 'an insert', 300, (admin, n) => admin.query(insert, [organizationId, n, n]));
    await eachSide(
      sides,
      `an import of ${imported.toLocaleString('en')}, ${atOnce} at once`,
      imported / atOnce,
      (admin, n) => admin.query(insert, [organizationId, 1_000 + n * atOnce, 999 + (n + 1) * atOnce]),
    );
    await eachSide(sides, 'an update of a status', 300, (admin, n) =>
      admin.query(update, [organizationId, 1_000 + n * 7]),
    );
    const [indexed] = sides;
    for (const name of Object.keys(indexed?.ms ?? {})) reportCost(name, sides);
    if (!indexed) return;
    const { own, whole } = await inTurns(indexed.database.runtimeUrl, organizationId, () =>
      Promise.resolve(),
    );
    report({
      what: `search, one in thousands, ${imported.toLocaleString('en')} leads that were imported beside the index`,
      value: `${median(own).toFixed(2)} ms (${(median(own) / median(whole)).toFixed(2)} of reading every lead)`,
    });
  } finally {
    for (const { database } of sides) await database.drop();
  }
}

/** Does the same on both sides in turns. */
async function eachSide(
  sides: readonly Written[],
  name: string,
  times: number,
  work: (admin: pg.Pool, n: number) => Promise<unknown>,
): Promise<void> {
  for (let n = 0; n < times; n++) {
    for (const { database, ms, wal } of n % 2 === 0 ? sides : sides.toReversed()) {
      const before = await walPosition(database.admin);
      (ms[name] ??= []).push(await timed(() => work(database.admin, n)));
      wal[name] = (wal[name] ?? 0) + (await walPosition(database.admin)) - before;
    }
  }
}

async function walPosition(admin: pg.Pool): Promise<number> {
  const { rows } = await admin.query<{ at: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS at`);
  return Number(rows[0]?.at);
}

function reportCost(name: string, sides: readonly Written[]): void {
  const [indexed = [], plain = []] = sides.map(({ ms }) => ms[name] ?? []);
  const [indexedWal = NaN, plainWal = NaN] = sides.map(({ wal }) => wal[name] ?? NaN);
  const shown = (values: readonly number[]) =>
    `${median(values).toFixed(2)} ms, at most ${Math.max(...values).toFixed(0)}`;
  const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0);
  report({
    what: `writing beside the index of trigrams, ${name}`,
    value: `${shown(indexed)}; without the index ${shown(plain)}; ${(sum(indexed) / sum(plain)).toFixed(2)} of the time and ${(indexedWal / plainWal).toFixed(2)} of the log in all`,
  });
}
