import { unmeasuredPlan } from '@tenantry/service-tests';
import { afterAll, describe, expect, it } from 'vitest';
import { startService } from './support/service.ts';

// Imports and new leads ask whether an address is there.

const service = await startService();
afterAll(() => service.close());

const rows = `
  INSERT INTO leads (organization_id, name, email)
  SELECT current_setting('app.organization_id')::uuid, 'Lead', 'lead' || n || '@example.com' FROM generate_series(1, 10000) n`;

describe('the leads with an address', () => {
  it.each([
    ['leads-by-email', `'{ada@example.com}'`],
    ['lead-duplicate', `gen_random_uuid(), 'ada@example.com'`],
  ])(
    'are found in the index, also before the database has measured its tables: %s [S-330]',
    async (statement, values) => {
      const plan = await unmeasuredPlan(service, { project: 'leads-service', statement, values, rows });
      expect(plan).toMatch(
        /leads_by_email on leads.*\n\s+Index Cond: \(\(organization_id = \$1\) AND \(folded_email = /,
      );
    },
  );
});
