import { randomUUID } from 'node:crypto';
import { askedSearches, expectSameSearches, expectSearchRole } from '@tenantry/service-tests';
import { TenantPool } from '@tenantry/tenancy';
import { createTestDatabase, type TestDatabase } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, it } from 'vitest';
import type { Rows } from '../src/database.ts';
import { queryQuotePage } from '../src/quotes/quote-page.repository.ts';
import { quoteOrders } from '../src/quotes/quote.ts';

let database: TestDatabase;
let admin: pg.Client;
let pool: TenantPool;
beforeAll(async () => {
  database = await createTestDatabase('quotation-service');
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  pool = new TenantPool({ connectionString: database.runtimeUrl });
});
afterAll(async () => {
  await pool.end();
  await admin.end();
  await database.drop();
});

it('a search answers by its index as by reading every quote, in any order, with any filter, on any page [S-146]', async () => {
  const [organizationId, other, customerId] = [randomUUID(), randomUUID(), randomUUID()];
  const insert = (texts: readonly string[], first: number) =>
    admin.query(
      `INSERT INTO quotes (organization_id, number, number_year, number_sequence, customer_id, customer_name, title,
         description, currency, vat_rate, status, sent_at, seller, valid_until, created_at, deleted_at)
       SELECT o, 'Q-' || $4 + n, 2025, $4 + n, $3, left(t, 10), t, '', 'SEK', 25, s.status,
         CASE s.status WHEN 'draft' THEN NULL ELSE now() END, CASE s.status WHEN 'draft' THEN NULL ELSE '{}'::jsonb END,
         now() + n * interval '1 h', now() - n % 4 * interval '1 day',
         CASE WHEN s.status = 'draft' AND n % 5 = 0 THEN now() END
       FROM unnest($1::uuid[]) o, unnest($2::text[]) WITH ORDINALITY AS texts (t, n),
         LATERAL (SELECT CASE n % 3 WHEN 0 THEN 'draft' ELSE 'sent' END AS status) s`,
      [[organizationId, other], texts, customerId, first],
    );
  await expectSameSearches({
    pool,
    organizationId,
    async write(texts) {
      await admin.query('TRUNCATE quotes, quote_counts, customers CASCADE');
      await admin.query(
        `INSERT INTO customers (organization_id, id, name) SELECT o, $2, '' FROM unnest($1::uuid[]) o`,
        [[organizationId, other], customerId],
      );
      await insert(texts, 0);
    },
    ways: (search) =>
      askedSearches((rows: Rows) => {
        for (const sort of quoteOrders)
          for (const filter of [
            {},
            { statuses: ['sent' as const] },
            { customerId },
            { statuses: ['draft' as const, 'sent' as const], customerId },
            { validUntilFrom: new Date() },
          ])
            for (const page of [1, 2, 90])
              void queryQuotePage(rows, { page, pageSize: 3, sort, search, ...filter });
      }),
  });
});

it('the role of searches is lent for the time of a search, and sees what its policy says [S-112]', async () => {
  await expectSearchRole(admin, {
    service: 'tenantry_quotation_service',
    role: 'tenantry_quotation_search',
    reads: {
      quotes: `(replace(translate(search_text, 'ðŧς'::text, 'dtσ'::text), 'þ'::text, 'th'::text)`,
    },
  });
});
