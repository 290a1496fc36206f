import { definedStatements } from '@tenantry/tenancy/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from './support/service.ts';

const service = await startService();
const sql = new pg.Client({ connectionString: service.testDatabase.runtimeUrl });

beforeAll(() => sql.connect());
afterAll(async () => {
  await sql.end();
  await service.close();
});

describe('customers', () => {
  it.each([
    ['by their address or VAT number', 'customer-duplicate', `gen_random_uuid(), 'c7@example.com', 'SE7'`],
    ['in Swedish', 'customer-page-sv-asc', '50, 0'],
    ['in Swedish, from the end', 'customer-page-sv-desc', '50, 0'],
    ['in English', 'customer-page-asc', '50, 0'],
  ])(
    'are found in an index, also before the database has measured its tables: %s [S-340]',
    async (_, name, values) => {
      const { text } =
        definedStatements('quotation-service', 'service').find((each) => each.name === name) ?? {};
      await sql.query('BEGIN');
      await sql.query(`SELECT set_config('app.organization_id', gen_random_uuid()::text, true),
      set_config('plan_cache_mode', 'force_generic_plan', true)`);
      await sql.query(`INSERT INTO customers (organization_id, id, name, email, vat_number)
      SELECT current_setting('app.organization_id')::uuid, uuidv7(), 'Åsa ' || n, 'c' || n || '@example.com', 'SE' || n
      FROM generate_series(1, 5000) n`);
      await sql.query(`PREPARE found AS ${text}`);
      const { rows } = await sql.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN EXECUTE found (current_setting('app.organization_id')::uuid, ${values})`,
      );
      await sql.query('DEALLOCATE found; ROLLBACK');
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).not.toMatch(/Seq Scan on customers/);
      const indexes = {
        'customer-duplicate': [
          /customers_by_email on[^]*folded_email =/,
          /customers_by_vat_number on[^]*vat_number =/,
        ],
        'customer-page-sv-asc': [/Index Scan using customers_in_swedish/],
        'customer-page-sv-desc': [/Index Scan Backward using customers_in_swedish/],
        'customer-page-asc': [/Index Only Scan using customers_kept/],
      }[name];
      for (const index of indexes ?? []) expect(plan).toMatch(index);
    },
  );
});
