/**
 * The list of users with its exact total, for organizations of 10,000, 100,000 and 1,000,000 users in a table of
 * 5,000,000, as the runtime role under row-level security:
 *
 *     npm run bench -- user-list
 *
 * Goals: first page at a million rows within twice the time at 10,000; a search there that finds less than one in 1,000 under 60 ms,
 * less than one in 50 under 100 ms, and any other one no slower than reading every row, which runs in turns with it.
 */
import { createTestDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import type { ListQuery } from './lists.ts';
import { measurePages } from './pages.ts';
import { seedTenants } from './seed.ts';

const fill = `
  INSERT INTO profiles (organization_id, user_id, email, name, first_name, last_name, created_at)
  SELECT $1, gen_random_uuid(), 'user' || n || '@example.com', first || ' ' || last, first, last,
    now() - ($2::int - n) * interval '1 second'
  FROM generate_series(1, $2::int) n
  CROSS JOIN LATERAL (SELECT
    (ARRAY['Åsa', 'Erik', 'María', 'José', 'Zoë', 'Björn', 'Anna', 'Lars', 'Ingrid', 'Søren'])[1 + n % 10] AS first,
    (ARRAY['Lindström', 'Andersson', 'Núñez', 'Müller', 'Ødegård', 'Smith', 'Karlsson'])[1 + n % 7]
      || ' ' || left(md5(n::text), 6) AS last) names`;

const queries: Readonly<Record<string, (size: number) => object>> = {
  'first page': () => ({}),
  'first page by e-mail': () => ({ sort: 'email' }),
  'first page by creation': () => ({ sort: '-createdAt' }),
  'tenth page': () => ({ page: 10 }),
  'last page': (size) => ({ page: size / 10 }),
  'search, every user matches': () => ({ search: 'a' }),
  'search, one in seven': () => ({ search: 'LINDSTRÖM' }),
  'search, one in 70': () => ({ search: 'åsa lindström' }),
  'search, one in thousands': () => ({ search: 'ab12', sort: '-createdAt' }),
  'search, a single user': () => ({ search: 'user77@' }),
  'search, no user': () => ({ search: 'nobody at all' }),
};

const source = new URL('../../apps/users-service/src/users/user-page.repository.ts', import.meta.url);
const { queryUserPage } = (await import(source.href)) as { queryUserPage: ListQuery };
const database = await createTestDatabase('users-service');
const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
const service = new pg.Client({ connectionString: database.runtimeUrl });
await service.connect();

try {
  const tenants = await seedTenants({
    admin,
    tables: ['profiles'],
    fill: async (organizationId, size) => {
      await admin.query(fill, [organizationId, size]);
    },
  });
  await measurePages({
    table: 'profiles',
    list: queryUserPage,
    runtimeUrl: database.runtimeUrl,
    service,
    tenants,
    queries: Object.fromEntries(
      Object.entries(queries).map(([name, queryOf]) => [
        name,
        ({ size }) => ({ page: 1, pageSize: 10, sort: 'name', ...queryOf(size) }),
      ]),
    ),
  });
} finally {
  await Promise.all([admin.end(), service.end()]);
  await database.drop();
}
process.exit();
