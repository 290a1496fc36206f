import type pg from 'pg';
import { median, report } from './figures.ts';
import { tableSize, type Tenant } from './seed.ts';

/** A named statement and its values from `$2` on. */
export interface PageStatement {
  readonly statement: { readonly name: string; readonly text: string };
  readonly values: readonly unknown[];
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

const firstPageTimesMax = 2;
const searchMsMax = 250;

/** Measures each query in each organization, says by which indexes it is answered, and holds it to its goal. */
export async function measurePages({ table, service, tenants, queries }: PageBench): Promise<void> {
  const sizes = tenants.map(({ size }) => size.toLocaleString('en')).join(' / ');
  for (const [name, statementOf] of Object.entries(queries)) {
    const times: number[] = [];
    const plans = new Set<string>();
    for (const tenant of tenants) {
      const { statement, values } = statementOf(tenant);
      const query = { ...statement, values: [tenant.organizationId, ...values] };
      await service.query(`SELECT set_config('app.organization_id', $1, false)`, [tenant.organizationId]);
      times.push(await medianMs(service, query));
      plans.add(await planOf(service, query, table));
    }
    report({
      what: `${name}, ${sizes} of ${tableSize.toLocaleString('en')} rows`,
      value: `${times.map((ms) => ms.toFixed(2)).join(' / ')} ms by ${[...plans].join(' or by ')}`,
      ...goalOf(name, times.at(-1) ?? Number.NaN, times[0] ?? Number.NaN),
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
  readonly name: string;
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

/** The indexes by which the prepared statement is answered now; a table that is read in sequence fails the bench. */
async function planOf(client: pg.Client, { name, values }: Query, table: string): Promise<string> {
  const given = values.map((value) => client.escapeLiteral(literalOf(value))).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': unknown }>(
    `EXPLAIN (FORMAT JSON) EXECUTE ${client.escapeIdentifier(name)} (${given})`,
  );
  const plan = JSON.stringify(rows);
  if (new RegExp(`"Seq Scan"[^{}]*"Relation Name":"${table}"`).test(plan))
    throw new Error(`${name} reads ${table} in sequence: ${plan}`);
  const indexes = new Set([...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, index]) => index));
  return [...indexes].sort().join(', ');
}

/** An array as PostgreSQL writes it. */
const literalOf = (value: unknown): string =>
  Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item)).join()}}` : String(value);
