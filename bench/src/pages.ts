import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { median, report, sized } from './figures.ts';

/** A named statement and its values from `$2` on. */
export interface PageStatement {
  readonly statement: { readonly name: string; readonly text: string };
  readonly values: readonly unknown[];
}

/** An organization and how many rows it has. */
export interface Tenant {
  readonly size: number;
  readonly organizationId: string;
}

/** What is measured: the pages of one list. */
export interface PageBench {
  readonly table: string;
  /** The runtime role, under row-level security. */
  readonly service: pg.Client;
  readonly tenants: readonly Tenant[];
  /** By name; a first page and any search have a goal. */
  readonly queries: Readonly<Record<string, (tenant: Tenant) => PageStatement>>;
}

/** Sizes of the organizations that are measured, and of the whole table. */
export const tenantSizes = sized([10_000, 100_000, 1_000_000], [200, 1_000, 2_000]);
export const tableSize = sized(5_000_000, 10_000);
/** Among whom the rest of the table is divided. */
const neighbours = 1_000;

const firstPageTimesMax = 2;
const searchMsMax = 250;

/** Fills a table: one organization of each size, and so many others that the table is full. */
export async function fillTenants(
  fill: (organizationId: string, count: number) => Promise<void>,
): Promise<Tenant[]> {
  const tenants = tenantSizes.map((size) => ({ size, organizationId: randomUUID() }));
  for (const { organizationId, size } of tenants) await fill(organizationId, size);
  const rest = tableSize - tenantSizes.reduce((sum, size) => sum + size, 0);
  const each = Math.ceil(rest / neighbours);
  for (let n = 0; n * each < rest; n++) await fill(randomUUID(), each);
  return tenants;
}

/** Measures each query in each organization, says by which indexes it is answered, and holds it to its goal. */
export async function measurePages({ table, service, tenants, queries }: PageBench): Promise<void> {
  for (const [name, statementOf] of Object.entries(queries)) {
    const times: number[] = [];
    let plan = '';
    for (const tenant of tenants) {
      const { statement, values } = statementOf(tenant);
      const all = [tenant.organizationId, ...values];
      await service.query(`SELECT set_config('app.organization_id', $1, false)`, [tenant.organizationId]);
      times.push(await medianMs(service, { ...statement, values: all }));
      plan = await planOf(service, { text: statement.text, values: all }, table);
    }
    const last = times.at(-1) ?? Number.NaN;
    report({
      what: `${name}, ${tenants.map(({ size }) => size.toLocaleString('en')).join(' / ')} of ${tableSize.toLocaleString('en')} rows`,
      value: `${times.map((ms) => ms.toFixed(2)).join(' / ')} ms by ${plan}`,
      ...goalOf(name, last, times[0] ?? Number.NaN),
    });
  }
}

function goalOf(name: string, last: number, first: number) {
  if (name.startsWith('search')) return { goal: `${searchMsMax} ms`, reached: last < searchMsMax };
  if (!name.startsWith('first page')) return {};
  return {
    goal: `within ${firstPageTimesMax} times, smallest to largest`,
    reached: last < firstPageTimesMax * first,
  };
}

interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values: unknown[];
}

/** Seven executions to settle on a plan, then those that count. */
async function medianMs(client: pg.Client, query: Query): Promise<number> {
  const times: number[] = [];
  for (let i = -7; i < 15; i++) {
    const before = performance.now();
    await client.query(query);
    if (i >= 0) times.push(performance.now() - before);
  }
  return median(times);
}

/** The indexes by which a statement is answered; a table that is read in sequence is called out. */
async function planOf(client: pg.Client, { text, values }: Query, table: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': unknown }>({
    text: `EXPLAIN (FORMAT JSON) ${text}`,
    values,
  });
  const plan = JSON.stringify(rows);
  const indexes = new Set([...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name));
  const inSequence = new RegExp(`"Seq Scan"[^{}]*"Relation Name":"${table}"`).test(plan)
    ? ' IN SEQUENCE'
    : '';
  return [...indexes].sort().join(', ') + inSequence;
}
