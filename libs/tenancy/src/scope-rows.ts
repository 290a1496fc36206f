import { inSpan } from '@tenantry/tracing';
import { readBatches } from './batches.ts';
import type { ScopedPrisma } from './models/scoped-prisma.ts';
import { readable, type Answer, type Query } from './protocol/query.ts';
import { answeredRows, queryOf } from './statement-queries.ts';
import type { BatchOptions, TenantScope, TenantTransaction, TransactionOptions } from './rows.ts';
import type { Binding, Scope } from './scope.ts';
import { mayBeIndexed, searching } from './search/search-role.ts';
import type { Search } from './search/searched-text.ts';
import type { OwnerIn, Statement } from './statement.ts';
import { batchesAsStatement } from './statement-spans.ts';
import { TransactionRows, type RowSource } from './transaction-rows.ts';

/** Runs statements in place of the pool and returns the result of the last; undefined if the pool has to. */
export type AskFirst = (binding: Binding, queries: readonly Query[]) => Promise<Answer | undefined>;

/** The rows of a scope, each query on its own. */
export class ScopeRows<Client, S extends Scope> implements TenantScope<Client, S> {
  readonly scope: S;
  readonly #binding: Binding;
  readonly #source: RowSource<Client>;
  readonly #askFirst: AskFirst | undefined;
  #prisma: ScopedPrisma<Client, S> | undefined;

  constructor(scope: S, binding: Binding, source: RowSource<Client>, askFirst?: AskFirst) {
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
    const { rows } = answer ?? readable((await pool.runAll(this.#binding, queries)).at(-1));
    return answeredRows(statement, rows);
  }

  get prisma(): ScopedPrisma<Client, S> {
    const { models, pool } = this.#source;
    return (this.#prisma ??= models.of(this.scope, () => {
      pool.refuseBesideTransaction();
      return { binding: this.#binding };
    }));
  }

  async transaction<Result>(
    work: (transaction: TenantTransaction<Client, S>) => Promise<Result>,
    { limitMs }: TransactionOptions = {},
  ): Promise<Result> {
    const { pool } = this.#source;
    return inSpan('transaction', {}, () =>
      pool.transaction(
        this.#binding,
        (errand) => work(new TransactionRows(this.scope, errand, this.#source)),
        limitMs,
      ),
    );
  }

  async *batches<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
    options: BatchOptions,
  ): AsyncIterable<Row[]> {
    const { pool } = this.#source;
    const query = queryOf(this.scope, statement, values);
    const batches = readBatches(pool, this.#binding, query, options);
    for await (const rows of batchesAsStatement(query.label, batches)) yield answeredRows(statement, rows);
  }
}
