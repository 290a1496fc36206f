import type { TenantPool } from './pool.ts';
import { readable, type Query } from './protocol/query.ts';
import type { BatchOptions } from './rows.ts';
import type { Binding } from './scope.ts';

/** How long the reader of batches may take over one: a client behind it may be slow. */
const batchIdleMsMax = 60_000;

/** Runs a query in a scope and gives its rows batch by batch, on a connection of its own. */
export async function* readBatches(
  pool: TenantPool,
  binding: Binding,
  query: Query,
  { rows: size }: BatchOptions,
): AsyncGenerator<unknown[]> {
  pool.refuseBesideTransaction();
  const { connections, timings } = pool;
  const transaction = await connections.begin(binding, { limitMs: Infinity });
  const ask = async (asked: Query) => readable(await transaction.ask(binding, asked));
  try {
    await ask({ text: `SET LOCAL idle_in_transaction_session_timeout = ${batchIdleMsMax}` });
    await ask({ values: query.values, text: `DECLARE batches NO SCROLL CURSOR FOR ${query.text}` });
    let isLast = false;
    while (!isLast) {
      const askedAt = performance.now();
      const { rows } = await ask({ text: `FETCH ${size} FROM batches`, form: query.form });
      timings.answered(query.label, askedAt);
      isLast = rows.length < size;
      if (rows.length > 0) yield rows;
    }
  } finally {
    await transaction.rollback();
    transaction.giveBack();
  }
}
