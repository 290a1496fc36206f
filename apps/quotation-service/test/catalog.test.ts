import { randomUUID } from 'node:crypto';
import { planForFastDisks, readsOf } from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createQuote, quotesUrl, startService, type TestService } from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  service = await startService({ env: { DATABASE_POOL_SIZE: '1' } });
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

describe('each list is read from its index', () => {
  const organizationId = '10000000-0000-4000-8000-000000000000';
  const customerId = '20000000-0000-4000-8000-000000000001';
  const fill = `
    INSERT INTO quotes (organization_id, number, number_year, number_sequence, customer_id, customer_name, title,
      description, currency, vat_rate, status, sent_at, seller, valid_until, created_at)
    SELECT $1, 'Q-2025-' || n, 2025, n, $2, 'Åström', 'Roof ' || n, '', 'SEK', 25, s.status,
      CASE s.status WHEN 'draft' THEN NULL ELSE now() END, CASE s.status WHEN 'draft' THEN NULL ELSE '{}'::jsonb END,
      now() + n * interval '1 h', now() - n * interval '1 s'
    FROM generate_series(1, $3::int) n
    CROSS JOIN LATERAL (SELECT CASE n % 3 WHEN 0 THEN 'draft' ELSE 'sent' END AS status) s`;
  const decide = `
    INSERT INTO quote_decisions (organization_id, quote_id, decision, decided_at, user_id, content_hash)
    SELECT organization_id, id, 'rejected', now() - number_sequence * interval '1 h', id, sha256('')
    FROM quotes WHERE organization_id = $1 AND status = 'sent'`;

  beforeAll(async () => {
    await planForFastDisks({ admin, pool: service.database.pool });
    // Most of the table is other organizations'.
    const many = Array.from({ length: 20 }, () => [randomUUID(), randomUUID(), 3_000] as const);
    const others = Array.from({ length: 5 }, () => [organizationId, randomUUID(), 0] as const);
    for (const [organization, customer, count] of [
      ...many,
      ...others,
      [organizationId, customerId, 15_000] as const,
    ]) {
      await admin.query('INSERT INTO customers (organization_id, id, name) VALUES ($1, $2, $3)', [
        ...[organization, customer, 'Åström'],
      ]);
      await admin.query(fill, [organization, customer, count]);
      await admin.query(decide, [organization]);
    }
    for (const table of ['quotes', 'quote_counts', 'quote_decisions'])
      await admin.query(`VACUUM (ANALYZE) ${table}`);
    await createQuote(await service.member({ organizationId }));
  });

  /** What a request reads, but the two keys by which a quote is found whose id is known. */
  async function readBy(url: string): Promise<string[]> {
    const member = await service.member({ organizationId });
    const { pool } = service.database;
    const reads = await readsOf({ admin, pool, tables: ['quotes', 'quote_decisions'] }, async () => {
      expect((await member.send('GET', url)).status).toBe(200);
    });
    return [...reads.keys()].filter((name) => !['quotes_pkey', 'quotes_currency_key'].includes(name));
  }

  it.each([
    ['', 'quotes_by_creation'],
    ['?page=1000', 'quotes_by_creation'],
    ['?sort=createdAt', 'quotes_by_creation'],
    ['?sort=number', 'quotes_by_number'],
    ['?sort=-number', 'quotes_by_number'],
    ['?sort=validUntil', 'quotes_by_validity'],
    ['?sort=-totalAmount', 'quotes_by_total'],
    ['?sort=totalAmount&status=draft', 'quotes_by_total'],
    ['?sort=customerName&page=1000', 'quotes_by_customer_name'],
    ['?sort=-updatedAt', 'quotes_by_change'],
    ['?sort=-sentAt&status=sent,accepted', 'quotes_by_sending'],
    ['?validUntilTo=2099-01-01T00:00:00Z&status=sent', 'quotes_by_validity'],
    ['?status=draft', 'quotes_by_status'],
    // Of which there are so few that the index finds them, as a sample of the list says.
    ['?search=roof%20199', 'quotes_by_creation', 'quotes_by_trigrams'],
    ['?search=roof%20199&status=draft&sort=-number', 'quotes_by_creation', 'quotes_by_trigrams'],
    ['?search=astrom', 'quotes_by_creation'],
    ['?search=9', 'quotes_by_creation'],
  ])('%s', async (query, ...indexes) => {
    expect(await readBy(`${quotesUrl}${query}`)).toEqual(indexes);
  });

  it('so is the series of statistics', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const names = await readBy(`/api/quotation/statistics?from=${day}&to=${day}`);
    expect(names).toEqual(['quote_decisions_by_time', 'quotes_open', 'quotes_sent']);
  });
});
