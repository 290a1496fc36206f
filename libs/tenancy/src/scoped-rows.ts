import { channel } from 'node:diagnostics_channel';
import { inSpan } from '@tenantry/tracing';
import { readBatches, readSnapshot, type OpenReading } from './batches.ts';
import { endOf, transactionOf, type Errand } from './errand.ts';
import { TenancyError } from './errors.ts';
import type { ScopedModels } from './models/scoped-models.ts';
import type { TenantPool } from './pool.ts';
import { readable, valuesOf, type Answer, type Query } from './protocol/query.ts';
import { isoTimesForm, plainForm } from './protocol/row-reader.ts';
import type {
  BatchOptions,
  TenantScope,
  TenantSnapshot,
  TenantTransaction,
  TransactionOptions,
} from './rows.ts';
import { bindingOf, type Binding, type Scope } from './scope.ts';
import { mayBeIndexed, searching } from './search/search-role.ts';
import type { Search } from './search/searched-text.ts';
import type { OwnerIn, Statement } from './statement.ts';
import { transact } from './transact.ts';

/** What the rows of all scopes are read and written through. */
export interface RowSource {
  readonly pool: TenantPool;
  readonly models: ScopedModels;
}

/** Runs statements in place of the pool and returns the result of the last; undefined if the pool has to. */
export type AskFirst = (binding: Binding, queries: readonly Query[]) => Promise<Answer | undefined>;

/** The rows of a scope, each query on its own. */
export class ScopeRows<S extends Scope> implements TenantScope<S> {
  readonly scope: S;
  readonly #binding: Binding;
  readonly #source: RowSource;
  readonly #askFirst: AskFirst | undefined;
  #prisma: unknown;

  constructor(scope: S, binding: Binding, source: RowSource, askFirst?: AskFirst) {
    this.scope = scope;
    this.#binding = binding;
    this.#source = source;
    this.#askFirst = askFirst;
  }

  query<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): Promise<Row[]> {
    return this.#ask(statement, values);
  }

  async search<Row, Values extends readonly unknown[]>(
    { text, scan, indexed }: Search<Row, Values, OwnerIn<S>>,
    term: string,
    values: Values,
  ): Promise<Row[]> {
    if (!mayBeIndexed(term)) return this.#ask(scan, values);
    const [sample] = await this.#ask(text.sample, [term]);
    return sample?.isRare ? this.#ask(indexed, values, [searching(term)]) : this.#ask(scan, values);
  }

  /** Runs a statement, behind others that go before it in the same exchange. */
  async #ask<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values>,
    values: Values,
    before: readonly Query[] = [],
  ): Promise<Row[]> {
    const { pool } = this.#source;
    const queries = [...before, queryOf(this.scope, statement, values)];
    // In a transaction the pool refuses queries that bypass it.
    const answer =
      this.#askFirst && !pool.isInTransaction ? await this.#askFirst(this.#binding, queries) : undefined;
    return rowsOf(pool, statement, answer ?? readable((await pool.run(this.#binding, queries)).at(-1)));
  }

  get prisma(): unknown {
    const { models, pool } = this.#source;
    return (this.#prisma ??= models.of(this.scope, () => {
      pool.refuseBesideTransaction();
      return { binding: this.#binding };
    }));
  }

  transaction<Result>(
    work: (transaction: TenantTransaction<S>) => Promise<Result>,
    { limitMs = this.#source.pool.timeouts.transactionMs }: TransactionOptions = {},
  ): Promise<Result> {
    const run = (errand: Errand) => work(new TransactionRows(this.scope, errand, this.#source));
    return inSpan('transaction', {}, async () => transact(this.#source.pool, this.#binding, run, limitMs));
  }

  async *batches<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
    options: BatchOptions,
  ): AsyncIterable<Row[]> {
    const query = queryOf(this.scope, statement, values);
    const batches = readBatches(this.#source.pool, this.#binding, query, options);
    for await (const answer of batches) yield rowsOf(this.#source.pool, statement, answer);
  }

  snapshot<Result>(
    work: (snapshot: TenantSnapshot<S>) => Promise<Result>,
    { limitMs }: Required<TransactionOptions>,
  ): Promise<Result> {
    const { pool } = this.#source;
    const read = (reading: OpenReading) => work(new SnapshotRows(this.scope, reading, pool));
    return inSpan('snapshot', {}, () => readSnapshot(pool, this.#binding, read, limitMs));
  }
}

/** The rows of a scope as of one moment. */
class SnapshotRows<S extends Scope> implements TenantSnapshot<S> {
  readonly scope: S;
  readonly #reading: OpenReading;
  readonly #pool: TenantPool;

  constructor(scope: S, reading: OpenReading, pool: TenantPool) {
    this.scope = scope;
    this.#reading = reading;
    this.#pool = pool;
  }

  async query<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): Promise<Row[]> {
    const query = queryOf(this.scope, statement, values);
    return rowsOf(this.#pool, statement, await this.#pool.timed(query.label, () => this.#reading.ask(query)));
  }

  async *batches<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
    options: BatchOptions,
  ): AsyncIterable<Row[]> {
    const query = queryOf(this.scope, statement, values);
    for await (const answer of this.#reading.batches(query, options))
      yield rowsOf(this.#pool, statement, answer);
  }
}

/** The rows of a scope in a transaction. */
class TransactionRows<S extends Scope> implements TenantTransaction<S>, TenantScope<S> {
  readonly scope: S;
  readonly #errand: Errand;
  readonly #source: RowSource;
  #prisma: unknown;

  constructor(scope: S, errand: Errand, source: RowSource) {
    this.scope = scope;
    this.#errand = errand;
    this.#source = source;
  }

  async query<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): Promise<Row[]> {
    const query = queryOf(this.scope, statement, values);
    const { binding } = this.#errand;
    const transaction = transactionOf(this.#errand);
    const asked = this.#source.pool.timed(query.label, () => transaction.ask(binding, query));
    return rowsOf(this.#source.pool, statement, readable(await asked));
  }

  search<Row, Values extends readonly unknown[]>(
    { scan }: Search<Row, Values, OwnerIn<S>>,
    _term: string,
    values: Values,
  ): Promise<Row[]> {
    return this.query(scan, values);
  }

  send<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): void {
    const query = queryOf(this.scope, statement, values);
    const { binding } = this.#errand;
    const transaction = transactionOf(this.#errand);
    this.#source.pool
      .timed(query.label, () => transaction.send(binding, query))
      // The transaction fails with it.
      .catch(() => undefined);
  }

  get prisma(): unknown {
    const errand = this.#errand;
    return (this.#prisma ??= this.#source.models.of(this.scope, () => {
      return { binding: errand.binding, transaction: transactionOf(errand), outer: errand };
    }));
  }

  async within<Inner extends Scope, Result>(
    scope: Inner,
    work: (transaction: TenantTransaction<Inner>) => Promise<Result>,
  ): Promise<Result> {
    const outer = this.#errand;
    const inner: Errand = { binding: bindingOf(scope), transaction: transactionOf(outer), outer };
    try {
      return await this.#source.pool.resume(inner, () =>
        work(new TransactionRows(scope, inner, this.#source)),
      );
    } finally {
      inner.transaction = 'over';
    }
  }

  asScope(): TenantScope<S> {
    return this;
  }

  /** A transaction of code that opens one by itself is a part of this one. */
  async transaction<Result>(work: (transaction: TenantTransaction<S>) => Promise<Result>): Promise<Result> {
    const transaction = transactionOf(this.#errand);
    const part = transaction.savepoint();
    try {
      const result = await work(this);
      transactionOf(this.#errand).release(part);
      return result;
    } catch (error) {
      // The error that undid the part is the one to throw.
      if (endOf(this.#errand) === undefined) await transaction.rollbackTo(part).catch(() => undefined);
      throw error;
    }
  }

  batches(): never {
    throw new TenancyError('TRANSACTION_BYPASSED', 'A transaction is open here, and batches need their own.');
  }

  snapshot(): never {
    throw new TenancyError(
      'TRANSACTION_BYPASSED',
      'A transaction is open here, and a snapshot needs its own.',
    );
  }
}

/** A statement as it is sent in a scope: with its owner in the scope, if it has one, as the first value. */
export function queryOf(
  scope: Scope,
  { name, text, owner, times }: Statement<unknown, never>,
  values: readonly unknown[],
): Query {
  const form = times === 'text' ? isoTimesForm : plainForm;
  if (owner === 'unscoped') return { name, label: name, text, values: valuesOf(values), form };
  const id = owner === 'organization' ? scope.organizationId : scope.userId;
  if (id === undefined) {
    throw new TenancyError('SCOPE_REQUIRED', `The statement ${name} needs a scope that names its ${owner}.`);
  }
  return { name, label: name, text, values: [id, ...valuesOf(values)], form };
}

/** Where tests learn what statements answer, to compare it with their types. */
const answered = channel('tenantry.answered-rows');

/** The rows that PostgreSQL has answered to a statement, by the type that it has. */
function rowsOf<Row>(
  { options: { connectionString = '' } }: TenantPool,
  statement: Pick<Statement<Row, never>, 'name' | 'text' | 'times' | 'described'>,
  { rows }: Pick<Answer, 'rows'>,
): Row[] {
  if (answered.hasSubscribers) {
    answered.publish({ database: databaseIn(connectionString), statement, rows });
  }
  return rows as Row[];
}

const databaseIn = (connectionString: string): string => new URL(connectionString).pathname.slice(1);
