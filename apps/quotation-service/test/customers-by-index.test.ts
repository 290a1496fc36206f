import { unmeasuredPlan } from '@tenantry/service-tests';
import { afterAll, describe, expect, it } from 'vitest';
import { startService } from './support/service.ts';

const service = await startService();
afterAll(() => service.close());

const rows = `
  INSERT INTO customers (organization_id, id, name, email, vat_number)
  SELECT current_setting('app.organization_id')::uuid, uuidv7(), 'Åsa ' || n, 'c' || n || '@example.com', 'SE' || n
  FROM generate_series(1, 5000) n`;

describe('customers', () => {
  it.each([
    [
      'by their address or VAT number',
      'customer-duplicate',
      `gen_random_uuid(), 'c7@example.com', 'SE7'`,
      [/customers_by_email on[^]*folded_email =/, /customers_by_vat_number on[^]*vat_number =/],
    ],
    [
      'by the addresses and VAT numbers of rows of a file',
      'customers-the-same',
      `ARRAY['c7@example.com', 'c8@example.com', NULL], ARRAY[NULL, 'SE9', 'SE8']`,
      [/customers_by_email on[^]*folded_email =/, /customers_by_vat_number on[^]*vat_number =/],
    ],
    ['in Swedish', 'customer-page-sv-asc', '50, 0', [/Index Scan using customers_in_swedish/]],
    [
      'in Swedish, from the end',
      'customer-page-sv-desc',
      '50, 0',
      [/Index Scan Backward using customers_in_swedish/],
    ],
    ['in English', 'customer-page-asc', '50, 0', [/Index Only Scan using customers_kept/]],
  ])(
    'are found in an index, also before the database has measured its tables: %s [S-340]',
    async (_, statement, values, indexes) => {
      const plan = await unmeasuredPlan(service, { project: 'quotation-service', statement, values, rows });
      expect(plan).not.toMatch(/Seq Scan on customers/);
      for (const index of indexes) expect(plan).toMatch(index);
    },
  );
});
