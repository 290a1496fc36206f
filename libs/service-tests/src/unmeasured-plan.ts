import { connected } from '@tenantry/dev-database';
import { definedStatements } from '@tenantry/tenancy/testing';
import type { TestService } from './start.ts';

/** A statement to be planned, and the rows that it is planned for. */
interface Planned {
  /** The package of the service. */
  readonly project: string;
  readonly statement: string;
  /** What the statement takes after the organization, in SQL. */
  readonly values: string;
  /** Inserts rows of the organization `current_setting('app.organization_id')`. */
  readonly rows: string;
}

/** How PostgreSQL carries out a statement, whatever its values, where it has not measured the tables since they were filled. */
export function unmeasuredPlan(
  { testDatabase }: Pick<TestService, 'testDatabase'>,
  { project, statement, values, rows }: Planned,
): Promise<string> {
  const { text } = definedStatements(project, 'service').find(({ name }) => name === statement) ?? {};
  // What is not committed is rolled back.
  return connected(testDatabase.runtimeUrl, async (sql) => {
    await sql.query('BEGIN');
    await sql.query(`SELECT set_config('app.organization_id', gen_random_uuid()::text, true),
      set_config('plan_cache_mode', 'force_generic_plan', true)`);
    await sql.query(rows);
    await sql.query(`PREPARE found AS ${text}`);
    const { rows: lines } = await sql.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE found (current_setting('app.organization_id')::uuid, ${values})`,
    );
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  });
}
