/**
 * The list of leads with its exact total, unfiltered and searched, for organizations of 10,000, 100,000 and 1,000,000
 * leads in a table of 5,000,000, as the runtime role under row-level security:
 *
 *     npm run bench -- search
 *
 * Goals: first page at a million rows within twice the time at 10,000; any search there under 250 ms.
 */
import pg from 'pg';
import { report } from './figures.ts';
import { createLeadsDatabase, pageStatement } from './leads-database.ts';
import { measurePages, type PageStatement } from './pages.ts';
import { seedTenants, type Tenant } from './seed.ts';

type Query = NonNullable<Parameters<typeof pageStatement>[0]>;

const queries: Readonly<Record<string, Query | ((size: number) => Query)>> = {
  'first page': {},
  'first page, one status': { statuses: ['won'] },
  'tenth page': { page: 10 },
  'last page': (size) => ({ page: size / 10 }),
  'search, every lead matches': { search: 'a' },
  'search, one in seven': { search: 'LINDSTRÖM' },
  'search, one in thousands': { search: 'ab12' },
  'search, a single lead': { search: 'lead77@' },
  'search, no lead': { search: 'nobody at all' },
  'search with status': { search: 'erik', statuses: ['won'] },
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
  const statements: Record<string, (tenant: Tenant) => PageStatement> = {};
  for (const [name, query] of Object.entries(queries)) {
    const bySize = new Map<number, PageStatement>();
    for (const { size } of tenants) {
      bySize.set(size, await pageStatement(typeof query === 'function' ? query(size) : query));
    }
    statements[name] = ({ size }) => bySize.get(size) ?? { statement: { name: '', text: '' }, values: [] };
  }
  await measurePages({ table: 'leads', service, tenants, queries: statements });
  report({ what: 'indexes of leads', value: await indexSizes() });
} finally {
  await service.end();
  await database.drop();
}
process.exit();

async function indexSizes(): Promise<string> {
  const { rows } = await database.admin.query<{ line: string }>(
    `SELECT format('%s %s', indexrelname, pg_size_pretty(pg_relation_size(indexrelid))) AS line
     FROM pg_stat_user_indexes WHERE relname = 'leads' ORDER BY 1`,
  );
  return rows.map(({ line }) => line).join(', ');
}
