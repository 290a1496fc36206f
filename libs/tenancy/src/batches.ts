import { beginSpan, endSpan, recordedSpan } from '@tenantry/tracing';
import { statementSpan, type TenantPool } from './pool.ts';
import { readable, type Answer, type Query } from './protocol/query.ts';
import type { BatchOptions } from './rows.ts';
import type { Binding } from './scope.ts';

/** How long the reader of batches may take over one: a client behind it may be slow. */
const batchIdleMsMax = 60_000;

/**
 * Runs a query in a scope and gives its rows batch by batch, on a connection of its own. It is one span, which lasts until the
 * last batch was taken.
 */
export async function* readBatches(
  pool: TenantPool,
  binding: Binding,
  query: Query,
  options: BatchOptions,
): AsyncGenerator<Answer> {
  pool.refuseBesideTransaction();
  const parent = recordedSpan();
  const span = parent && beginSpan(query.label ?? 'batches', statementSpan, parent);
  let failure: unknown;
  try {
    yield* readByCursor(pool, binding, query, options);
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    if (span) endSpan(span, failure);
  }
}

async function* readByCursor(
  pool: TenantPool,
  binding: Binding,
  query: Query,
  { rows: size }: BatchOptions,
): AsyncGenerator<Answer> {
  const transaction = await pool.begin(binding, { limitMs: Infinity });
  const ask = async (asked: Query) => readable(await transaction.ask(binding, asked));
  try {
    await ask({ text: `SET LOCAL idle_in_transaction_session_timeout = ${batchIdleMsMax}` });
    await ask({ values: query.values, text: `DECLARE batches NO SCROLL CURSOR FOR ${query.text}` });
    let isLast = false;
    while (!isLast) {
      const askedAt = performance.now();
      const answer = await ask({ text: `FETCH ${size} FROM batches`, form: query.form });
      pool.timings.answered(query.label, askedAt);
      isLast = answer.rows.length < size;
      if (answer.rows.length > 0) yield answer;
    }
  } finally {
    await transaction.rollback();
    transaction.giveBack();
  }
}
