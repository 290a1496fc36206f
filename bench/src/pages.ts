import type pg from 'pg';
import { median, report, type Figure } from './figures.ts';
import { askedList, openRows, type AskedList, type ListQuery } from './lists.ts';
import { tableSize, type Tenant } from './seed.ts';

/** What is measured: the pages of one list. */
export interface PageBench {
  readonly table: string;
  /** By which the service answers it. */
  readonly list: ListQuery;
  /** The runtime role, under row-level security. */
  readonly runtimeUrl: string;
  /** The same role, to see plans by. */
  readonly service: pg.Client;
  readonly tenants: readonly Tenant[];
  /** By name; a first page and any search have a goal. */
  readonly queries: Readonly<Record<string, (tenant: Tenant) => object>>;
}

const firstPageTimesMax = 2;
/** What a search may take at the largest organization, by how few of its rows it finds. */
const searchGoals = [
  { share: 1 / 1_000, ms: 60 },
  { share: 1 / 50, ms: 100 },
];
/** What searches that find more may take, of the time that reading every row does: the sample, and the noise of the machine. */
const commonTimesMax = 1.1;
const rounds = 11;

/** Measures each query in each organization, says by which indexes it is answered, and holds it to its goal. */
export async function measurePages(bench: PageBench): Promise<void> {
  const database = openRows(bench.runtimeUrl);
  const sizes = bench.tenants.map(({ size }) => size.toLocaleString('en')).join(' / ');
  for (const [name, queryOf] of Object.entries(bench.queries)) {
    const measured: Measured[] = [];
    for (const tenant of bench.tenants) {
      const rows = database.within({ organizationId: tenant.organizationId });
      const query = queryOf(tenant);
      measured.push(await measure({ bench, tenant, rows, query }));
    }
    const indexes = [...new Set(measured.map((each) => each.indexes))].join(' or by ');
    report({
      what: `${name}, ${sizes} of ${tableSize.toLocaleString('en')} rows`,
      value: `${valueOf(measured)} ms by ${indexes}`,
      ...goalOf(name, measured),
    });
  }
  await database.close();
}

interface Measured {
  readonly ms: number;
  readonly indexes: string;
  /** Of a search: how long reading every row takes, in turns with it, and how much of the organization it finds. */
  readonly scanMs?: number;
  readonly share?: number;
  /** Whether an index can find it: a term with three letters or digits in a row. */
  readonly isIndexed?: boolean;
}

interface Measurement {
  readonly bench: PageBench;
  readonly tenant: Tenant;
  readonly rows: ReturnType<ReturnType<typeof openRows>['within']>;
  readonly query: object;
}

async function measure({ bench, tenant, rows, query }: Measurement): Promise<Measured> {
  const { list, service } = bench;
  const asked = askedList(list, query);
  const scan = () => rows.query(asked.statement as never, asked.values as never);
  const [own, whole]: number[][] = [[], []];
  for (let round = -5; round < rounds; round++) {
    const ms = await timed(() => list(rows, query));
    const scanMs = asked.search ? await timed(scan) : Number.NaN;
    if (round < 0) continue;
    own?.push(ms);
    whole?.push(scanMs);
  }
  const [first] = await list(rows, query);
  const indexes = await indexesOf(service, { ...tenant, asked, table: bench.table });
  return {
    ms: median(own ?? []),
    indexes,
    ...(asked.search && {
      scanMs: median(whole ?? []),
      share: (first?.total ?? 0) / tenant.size,
      isIndexed: /[a-z0-9]{3}/i.test(asked.search.term),
    }),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function valueOf(measured: readonly Measured[]): string {
  const joined = (values: readonly number[]) => values.map((value) => value.toFixed(2)).join(' / ');
  const own = joined(measured.map(({ ms }) => ms));
  const ratios = measured.map(({ ms, scanMs = Number.NaN }) => ms / scanMs);
  if (ratios.some((ratio) => Number.isNaN(ratio))) return own;
  return `${own} (${joined(ratios)} of reading every row, ${joined(measured.map(({ scanMs = 0 }) => scanMs))})`;
}

function goalOf(name: string, measured: readonly Measured[]): Pick<Figure, 'goal' | 'reached'> {
  const [first, last] = [measured[0], measured.at(-1)];
  if (!first || !last) return {};
  if (last.share !== undefined && last.scanMs !== undefined) {
    const { share, scanMs } = last;
    const goal = last.isIndexed ? searchGoals.find((each) => share < each.share) : undefined;
    if (goal) return { goal: `${goal.ms} ms`, reached: last.ms < goal.ms };
    return {
      goal: `${commonTimesMax} of reading every row`,
      reached: last.ms < commonTimesMax * scanMs || 'not decided',
    };
  }
  if (!name.startsWith('first page')) return {};
  return {
    goal: `within ${firstPageTimesMax} times, smallest to largest`,
    reached: last.ms < firstPageTimesMax * first.ms,
  };
}

interface Planned {
  readonly organizationId: string;
  readonly table: string;
  readonly asked: AskedList;
}

/** The indexes by which a list is answered; a table that is read in sequence fails the bench. */
async function indexesOf(service: pg.Client, { organizationId, table, asked }: Planned): Promise<string> {
  const { statement, values, search } = asked;
  await service.query(`BEGIN; SELECT set_config('app.organization_id', '${organizationId}', true)`);
  try {
    let planned = statement;
    if (search) {
      const { rows } = await service.query<{ isRare: boolean }>(search.sample.text, [
        organizationId,
        search.term,
      ]);
      if (rows[0]?.isRare) {
        planned = search.indexed;
        await service.query(
          `SELECT set_config('app.search_term', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true),
             set_config('role', regexp_replace(session_user, '_service$', '_search'), true)`,
          [search.term],
        );
      }
    }
    const own = [organizationId, ...values];
    await service.query({ ...planned, values: own });
    const given = own.map((value) => service.escapeLiteral(literalOf(value))).join(', ');
    const { rows } = await service.query<{ 'QUERY PLAN': unknown }>(
      `EXPLAIN (FORMAT JSON) EXECUTE ${service.escapeIdentifier(planned.name)} (${given})`,
    );
    const plan = JSON.stringify(rows);
    if (new RegExp(`"Seq Scan"[^{}]*"Relation Name":"${table}"`).test(plan))
      throw new Error(`${planned.name} reads ${table} in sequence: ${plan}`);
    const indexes = new Set([...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, index]) => index));
    return [...indexes].sort().join(', ');
  } finally {
    await service.query('ROLLBACK');
  }
}

/** An array as PostgreSQL writes it. */
const literalOf = (value: unknown): string =>
  Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item)).join()}}` : String(value);
