/**
 * The list's page with its exact total, unfiltered and searched, for organizations of 10,000, 100,000 and 1,000,000
 * leads in one table, as the runtime role under row-level security:
 *
 *     node --conditions=@tenantry/source bench/src/search.bench.ts
 *
 * Goals: unfiltered first page at a million rows within twice the time at 10,000; any search there under 250 ms.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { median } from './http-load.ts';
import { createLeadsDatabase, pageStatement } from './leads-database.ts';

const sizes = [10_000, 100_000, 1_000_000];
const queries = {
  'first page': {},
  'first page, one status': { statuses: ['won'] },
  'page at the middle': { page: 0 },
  'search, every lead matches': { search: 'a' },
  'search, one in seven': { search: 'LINDSTRÖM' },
  'search, one in thousands': { search: 'ab12' },
  'search, a single lead': { search: 'lead7777@' },
  'search, no lead': { search: 'nobody at all' },
  'search with status': { search: 'erik', statuses: ['won'] },
  'search with wildcard letters': { search: '%_\\' },
};

const database = await createLeadsDatabase();
const service = new pg.Client({ connectionString: database.runtimeUrl });
await service.connect();

try {
  const tenants: { size: number; organizationId: string }[] = [];
  for (const size of sizes) {
    const organizationId = randomUUID();
    await database.fill(organizationId, size);
    tenants.push({ size, organizationId });
  }
  await database.settle();
  console.log(
    `${'median, ms'.padEnd(32)}${sizes.map((size) => size.toLocaleString('en').padStart(12)).join('')}`,
  );
  for (const [name, query] of Object.entries(queries)) {
    const cells: string[] = [];
    for (const { size, organizationId } of tenants) {
      const asked = 'page' in query ? { page: size / 20 } : query;
      cells.push((await medianMs(organizationId, asked)).toFixed(2).padStart(12));
    }
    console.log(name.padEnd(32) + cells.join(''));
  }
  console.log(await indexSizes());
} finally {
  await service.end();
  await database.drop();
}
process.exit();

async function medianMs(organizationId: string, query: object): Promise<number> {
  const { statement, values } = await pageStatement(query);
  const { name, text } = statement;
  const times: number[] = [];
  await service.query(`SELECT set_config('app.organization_id', $1, false)`, [organizationId]);
  // Seven executions to settle on a plan, then those that count.
  for (let i = -7; i < 15; i++) {
    const before = performance.now();
    await service.query({ name, text, values: [organizationId, ...values] });
    if (i >= 0) times.push(performance.now() - before);
  }
  return median(times);
}

async function indexSizes(): Promise<string> {
  const { rows } = await database.admin.query<{ line: string }>(
    `SELECT format('%s %s', rpad(indexrelname, 20), pg_size_pretty(pg_relation_size(indexrelid))) AS line
     FROM pg_stat_user_indexes WHERE relname = 'leads' ORDER BY 1`,
  );
  return rows.map(({ line }) => line).join('\n');
}
