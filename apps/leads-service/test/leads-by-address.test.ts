import { definedStatements } from '@tenantry/tenancy/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from './support/service.ts';

// Imports and new leads ask whether an address is there.

const service = await startService();
const sql = new pg.Client({ connectionString: service.testDatabase.runtimeUrl });

beforeAll(() => sql.connect());
afterAll(async () => {
  await sql.end();
  await service.close();
});

describe('the leads with an address', () => {
  it.each([
    ['leads-by-email', `'{ada@example.com}'`],
    ['lead-duplicate', `gen_random_uuid(), 'ada@example.com'`],
  ])(
    'are found in the index, also before the database has measured its tables: %s [S-330]',
    async (name, values) => {
      const { text } = definedStatements('leads-service', 'service').find((each) => each.name === name) ?? {};
      await sql.query('BEGIN');
      await sql.query(`SELECT set_config('app.organization_id', gen_random_uuid()::text, true),
      set_config('plan_cache_mode', 'force_generic_plan', true)`);
      await sql.query(`INSERT INTO leads (organization_id, name, email)
      SELECT current_setting('app.organization_id')::uuid, 'Lead', 'lead' || n || '@example.com' FROM generate_series(1, 10000) n`);
      await sql.query(`PREPARE found AS ${text}`);
      const { rows } = await sql.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN EXECUTE found (current_setting('app.organization_id')::uuid, ${values})`,
      );
      await sql.query('DEALLOCATE found; ROLLBACK');
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(
        /leads_by_email on leads.*\n\s+Index Cond: \(\(organization_id = \$1\) AND \(folded_email = /,
      );
    },
  );
});
