/**
 * The list of quotes with its exact total, for organizations of 10,000, 100,000 and 1,000,000 quotes in a table
 * of 5,000,000, as the runtime role under row-level security:
 *
 *     npm run bench -- quote-list
 *
 * Goals: first page at a million rows within twice the time at 10,000; a search there that finds less than one in 1,000 under 60 ms,
 * less than one in 50 under 100 ms, and any other one no slower than reading every row, which runs in turns with it. The plan
 * of each query names the indexes that it reads; one that reads the table in sequence is called out.
 */
import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import type { ListQuery } from './lists.ts';
import { measurePages } from './pages.ts';
import { seedTenants } from './seed.ts';

const queries: Readonly<Record<string, (size: number, customerId: string) => object>> = {
  'first page': () => ({}),
  'tenth page': () => ({ page: 10 }),
  'last page': (size) => ({ page: size / 10 }),
  'first page by number': () => ({ sort: 'number' }),
  'first page by validity': () => ({ sort: '-validUntil' }),
  'first page, one status': () => ({ statuses: ['sent'] }),
  'one customer': (_, customerId) => ({ customerId }),
  'search, every quote matches': () => ({ search: 'roof' }),
  'search, one in seven': () => ({ search: 'LINDSTRÖM' }),
  'search, one in 70': () => ({ search: 'åsa lindström' }),
  'search, one in thousands': () => ({ search: 'ab12', sort: 'number' }),
  'search, a single quote': () => ({ search: '-7777' }),
  'search, no quote': () => ({ search: 'nobody at all' }),
  'search with status': () => ({ search: 'erik', statuses: ['accepted'] }),
};

const fillCustomers = `
  INSERT INTO customers (organization_id, id, name)
  SELECT $1, ($3 || lpad(to_hex(n), 12, '0'))::uuid,
    (ARRAY['Åsa', 'Erik', 'María', 'José', 'Zoë', 'Björn', 'Anna', 'Lars', 'Ingrid', 'Søren'])[1 + n % 10] || ' '
      || (ARRAY['Lindström', 'Andersson', 'Núñez', 'Müller', 'Ødegård', 'Smith', 'Karlsson'])[1 + n % 7]
  FROM generate_series(1, $2::int / 10) n`;

const fillQuotes = `
  INSERT INTO quotes (organization_id, number, number_year, number_sequence, customer_id, customer_name, title,
    description, currency, vat_rate, subtotal, vat_amount, total_amount, status, sent_at, seller, valid_until, created_at)
  SELECT $1, 'Q-2026-' || lpad(n::text, 4, '0'), 2026, n, c.id, c.name, 'New roof ' || left(md5(n::text), 6), '', 'SEK',
    25, n, round(n * 0.25, 2), n + round(n * 0.25, 2), s.status, CASE s.status WHEN 'draft' THEN NULL ELSE now() END,
    CASE s.status WHEN 'draft' THEN NULL ELSE '{}'::jsonb END, now() + (n % 365) * interval '1 day',
    now() - ($2::int - n) * interval '1 second'
  FROM generate_series(1, $2::int) n
  JOIN customers c ON c.organization_id = $1 AND c.id = ($3 || lpad(to_hex(1 + n % ($2::int / 10)), 12, '0'))::uuid
  CROSS JOIN LATERAL (SELECT (ARRAY['draft', 'sent', 'accepted', 'rejected'])[1 + n % 4] AS status) s`;

const source = new URL('../../apps/quotation-service/src/quotes/quote-page.repository.ts', import.meta.url);
const { queryQuotePage } = (await import(source.href)) as { queryQuotePage: ListQuery };
const database = await createTestDatabase('quotation-service');
const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
const service = new pg.Client({ connectionString: database.runtimeUrl });
await service.connect();

try {
  const prefixes = new Map<string, string>();
  const tenants = await seedTenants({
    admin,
    tables: ['quotes', 'customers'],
    fill: async (organizationId, size) => {
      const prefix = randomUUID().slice(0, 24);
      prefixes.set(organizationId, prefix);
      await admin.query(fillCustomers, [organizationId, size, prefix]);
      await admin.query(fillQuotes, [organizationId, size, prefix]);
    },
  });
  await measurePages({
    table: 'quotes',
    list: queryQuotePage,
    runtimeUrl: database.runtimeUrl,
    service,
    tenants,
    queries: Object.fromEntries(
      Object.entries(queries).map(([name, queryOf]) => [
        name,
        ({ size, organizationId }) => {
          const customerId = `${prefixes.get(organizationId) ?? ''}${'5'.padStart(12, '0')}`;
          return { page: 1, pageSize: 10, sort: '-createdAt', ...queryOf(size, customerId) };
        },
      ]),
    ),
  });
} finally {
  await Promise.all([admin.end(), service.end()]);
  await database.drop();
}
process.exit();
