import { unscopedStatement, type Unscoped } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/** Deletes a batch of expired rows, and says whether there may be more. */
export type Sweep = () => Promise<boolean>;

/** Rows of one batch: a statement of some milliseconds, so that its locks block no one. */
export const sweepBatch = 1_000;

/** The condition of expired rows. */
interface SweptTable {
  readonly table: string;
  /** Of the statement, where a table has several. */
  readonly name?: string;
  /** An SQL condition. It takes the time from `statement_timestamp()`, because no index serves a clock that runs. */
  readonly over: string;
  /** The column of that condition, of which there is an index. */
  readonly by: string;
}

/** Deletes a batch of a table whose rows belong to no tenant. */
export function defineSweep({ table, name = table, over, by }: SweptTable) {
  return batchBy(
    `${name}-sweep`,
    `
    WITH gone AS (
      DELETE FROM ${table} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${table} WHERE ${over} ORDER BY ${by} LIMIT ${sweepBatch}))
      RETURNING 1)
    SELECT count(*)::int AS rows FROM gone`,
  );
}

/** Deletes a batch by a function of the database, where policies show the rows to their tenants alone. */
export function defineSweepBy(call: `app.sweep_${string}(${string})`) {
  return batchBy(
    `${call.replaceAll(/^app\.sweep_|\(.*/g, '').replaceAll('_', '-')}-sweep`,
    `SELECT ${call} AS rows`,
  );
}

function batchBy(name: string, text: string) {
  const statement = unscopedStatement({ name, like: 'sweep', text });
  return async (rows: Unscoped, ...values: Statements['sweep']['values']): Promise<boolean> => {
    const [swept] = await rows.query(statement, values);
    return swept?.rows === sweepBatch;
  };
}
