/**
 * The list of leads with its exact total, unfiltered and searched, for organizations of 10,000, 100,000 and 1,000,000
 * leads in a table of 5,000,000, as the runtime role under row-level security:
 *
 *     npm run bench -- search
 *
 * Goals: first page at a million rows within twice the time at 10,000; a search there that finds less than one in 1,000 under 60 ms,
 * less than one in 50 under 100 ms, and any other one no slower than reading every row, which runs in turns with it.
 */
import pg from 'pg';
import { report } from './figures.ts';
import { createLeadsDatabase, firstLeads, listLeads } from './leads-database.ts';
import { measurePages } from './pages.ts';
import { measureColdSearches, measureWrites } from './search-costs.ts';
import { seedTenants } from './seed.ts';

type Query = Readonly<Record<string, unknown>>;

const queries: Readonly<Record<string, Query | ((size: number) => Query)>> = {
  'first page': {},
  'first page, one status': { statuses: ['won'] },
  'tenth page': { page: 10 },
  'last page': (size) => ({ page: size / 10 }),
  'search, every lead matches': { search: 'a' },
  'search, one in seven': { search: 'LINDSTRÖM' },
  'search, one in thousands': { search: 'ab12' },
  'search, one in 70': { search: 'åsa lindström' },
  'search, one in 250': { search: 'ab1' },
  'search, one in thousands, by name': { search: 'ab12', sort: 'name' },
  'search, one in thousands, latest changes': { search: 'ab12', sort: '-updatedAt' },
  'search, one in thousands, with status': { search: 'ab12', statuses: ['won'] },
  'search, a single lead': { search: 'lead77@' },
  'search, no lead': { search: 'nobody at all' },
  'search with status': { search: 'erik', statuses: ['contacted'] },
  'search with wildcard letters': { search: '%_\\' },
};

const database = await createLeadsDatabase();
const service = new pg.Client({ connectionString: database.runtimeUrl });
await service.connect();

try {
  const tenants = await seedTenants({
    admin: database.admin,
    tables: ['leads'],
    fill: (organizationId, size) => database.fill(organizationId, size),
  });
  await measurePages({
    table: 'leads',
    list: await listLeads(),
    runtimeUrl: database.runtimeUrl,
    service,
    tenants,
    queries: Object.fromEntries(
      Object.entries(queries).map(([name, query]) => [
        name,
        ({ size }) => ({ ...firstLeads, ...(typeof query === 'function' ? query(size) : query) }),
      ]),
    ),
  });
  await measureColdSearches(database, tenants.at(-1));
  report({ what: 'indexes of leads', value: await indexSizes() });
} finally {
  await service.end();
  await database.drop();
}
await measureWrites();
process.exit();

async function indexSizes(): Promise<string> {
  const { rows } = await database.admin.query<{ line: string }>(
    `SELECT format('%s %s', indexrelname, pg_size_pretty(pg_relation_size(indexrelid))) AS line
     FROM pg_stat_user_indexes WHERE relname = 'leads' ORDER BY 1`,
  );
  return rows.map(({ line }) => line).join(', ');
}
