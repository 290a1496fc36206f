import { randomUUID } from 'node:crypto';
import { askedSearches, expectSameSearches, expectSearchRole } from '@tenantry/service-tests';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Rows } from '../src/database.ts';
import { queryLeadPage } from '../src/leads/lead-page.repository.ts';
import { leadOrders } from '../src/leads/lead.ts';
import { createLead, startService, type TestService } from './support/service.ts';

let service: TestService;
let admin: pg.Pool;
beforeAll(async () => {
  service = await startService();
  admin = new pg.Pool({ connectionString: service.testDatabase.adminUrl, max: 1 });
  admin.on('error', () => undefined);
});
afterAll(async () => {
  await admin.end();
  await service.close();
});

it('a search answers by its index as by reading every lead, in any order, with any filter, on any page [S-146]', async () => {
  const [organizationId, other] = [randomUUID(), randomUUID()];
  await expectSameSearches({
    pool: service.database.pool,
    organizationId,
    async write(texts) {
      await admin.query('TRUNCATE leads, lead_counts CASCADE');
      await admin.query(
        `INSERT INTO leads (organization_id, name, email, status, source, deleted_at, created_at)
         SELECT o, t, left(t, 20) || '@' || n, CASE n % 2 WHEN 0 THEN 'new' ELSE 'won' END, 'Web',
           CASE WHEN n % 7 = 0 THEN now() END, now() - n % 4 * interval '1 day'
         FROM unnest($1::uuid[]) o, unnest($2::text[]) WITH ORDINALITY AS texts (t, n)`,
        [[organizationId, other], texts],
      );
    },
    ways(search) {
      const filters = [
        {},
        { statuses: ['won'] as const },
        { statuses: ['won'] as const, source: 'WEB' },
        { createdFrom: new Date(Date.now() - 200_000_000) },
      ];
      return askedSearches((rows: Rows) => {
        for (const sort of leadOrders)
          for (const filter of filters)
            for (const page of [1, 2, 90])
              void queryLeadPage(rows, { page, pageSize: 3, sort, deleted: false, search, ...filter });
      });
    },
  });
});

it('a lead is found from the moment on when it is written, by what it is called now', async () => {
  const caller = await service.member();
  const found = async (search: string) =>
    (await caller.send('GET', `/api/leads?search=${search}`)).body.meta['total'];
  for (let n = 0; n < 30; n++) await createLead(caller, { name: `Somebody ${n}` });
  const id = await createLead(caller, { name: 'Zebulon Quist' });
  expect(await found('zebulon')).toBe(1);
  await caller.send('PUT', `/api/leads/${id}`, { body: { name: 'Hortensia Quist' } });
  expect([await found('zebulon'), await found('hortensia')]).toEqual([0, 1]);
  await caller.send('DELETE', `/api/leads/${id}`);
  expect(await found('hortensia')).toBe(0);
});

it('the role of searches is lent for the time of a search, and sees what its policy says [S-112]', async () => {
  await expectSearchRole(admin, {
    service: 'tenantry_leads_service',
    role: 'tenantry_leads_search',
    reads: { leads: `(((folded_name || '\n'::text) || folded_email)` },
  });
});
