import { beginSpan, endSpan, recordedSpan } from '@tenantry/tracing';
import { TenancyError } from './errors.ts';
import type { OpenTransaction } from './open-transaction.ts';
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
  options: BatchOptions,
): AsyncGenerator<Answer> {
  const transaction = await pool.begin(binding, { limitMs: Infinity });
  try {
    const reading = await OpenReading.begin(pool, binding, transaction);
    yield* reading.batches(query, options);
  } finally {
    await transaction.rollback();
    transaction.giveBack();
  }
}

/**
 * Runs work in a transaction that only reads, all of it as of one moment.
 *
 * @param limitMs how long it may take; a reader of its rows may pause for a minute
 */
export async function readSnapshot<Result>(
  pool: TenantPool,
  binding: Binding,
  work: (reading: OpenReading) => Promise<Result>,
  limitMs: number,
): Promise<Result> {
  pool.refuseBesideTransaction();
  const transaction = await pool.begin(binding, { limitMs, isSnapshot: true });
  let reading: OpenReading | undefined;
  try {
    reading = await OpenReading.begin(pool, binding, transaction);
    await reading.ask({ text: `SET LOCAL TimeZone = 'UTC'` });
    return await work(reading);
  } finally {
    reading?.end();
    await transaction.rollback();
    transaction.giveBack();
  }
}

/** A transaction whose reader may take its time. */
export class OpenReading {
  readonly #pool: TenantPool;
  readonly #binding: Binding;
  readonly #transaction: OpenTransaction;
  #cursors = 0;
  #isOver = false;

  private constructor(pool: TenantPool, binding: Binding, transaction: OpenTransaction) {
    this.#pool = pool;
    this.#binding = binding;
    this.#transaction = transaction;
  }

  static async begin(pool: TenantPool, binding: Binding, transaction: OpenTransaction): Promise<OpenReading> {
    const reading = new OpenReading(pool, binding, transaction);
    await reading.ask({ text: `SET LOCAL idle_in_transaction_session_timeout = ${batchIdleMsMax}` });
    return reading;
  }

  /** A reader that goes on gets an error from now on, and not the connection of the next one. */
  end(): void {
    this.#isOver = true;
  }

  async ask(query: Query): Promise<Answer> {
    if (this.#isOver)
      throw new TenancyError('TRANSACTION_OVER', 'The transaction of this reading has ended.');
    return readable(await this.#transaction.ask(this.#binding, query));
  }

  /** The rows of a query batch by batch, which it can be left in the middle of. */
  async *batches(query: Query, { rows: size }: BatchOptions): AsyncGenerator<Answer> {
    const name = `batches_${(this.#cursors += 1)}`;
    await this.ask({ values: query.values, text: `DECLARE ${name} NO SCROLL CURSOR FOR ${query.text}` });
    let isLast = false;
    while (!isLast) {
      const askedAt = performance.now();
      const answer = await this.ask({ text: `FETCH ${size} FROM ${name}`, form: query.form });
      this.#pool.timings.answered(query.label, askedAt);
      isLast = answer.rows.length < size;
      if (answer.rows.length > 0) yield answer;
    }
    await this.ask({ text: `CLOSE ${name}` });
  }
}
