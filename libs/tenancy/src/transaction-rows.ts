import { endOf, transactionOf, type Errand } from './errand.ts';
import { TenancyError } from './errors.ts';
import type { ScopedModels } from './models/scoped-models.ts';
import type { ScopedPrisma } from './models/scoped-prisma.ts';
import type { TenantPool } from './pool.ts';
import { answeredRows, queryOf } from './statement-queries.ts';
import type { TenantScope, TenantTransaction } from './rows.ts';
import { bindingOf, type Scope } from './scope.ts';
import type { Search } from './search/searched-text.ts';
import type { OwnerIn, Statement } from './statement.ts';

/** What the rows of all scopes are read and written through. */
export interface RowSource<Client> {
  readonly pool: TenantPool;
  readonly models: ScopedModels<Client>;
}

/** The rows of a scope in a transaction. */
export class TransactionRows<Client, S extends Scope>
  implements TenantTransaction<Client, S>, TenantScope<Client, S>
{
  readonly scope: S;
  readonly #errand: Errand;
  readonly #source: RowSource<Client>;
  #prisma: ScopedPrisma<Client, S> | undefined;

  constructor(scope: S, errand: Errand, source: RowSource<Client>) {
    this.scope = scope;
    this.#errand = errand;
    this.#source = source;
  }

  async query<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): Promise<Row[]> {
    const { rows } = await this.#source.pool.ask(this.#errand, queryOf(this.scope, statement, values));
    return answeredRows(statement, rows);
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
    this.#source.pool.send(this.#errand, queryOf(this.scope, statement, values));
  }

  get prisma(): ScopedPrisma<Client, S> {
    const errand = this.#errand;
    return (this.#prisma ??= this.#source.models.of(this.scope, () => {
      const { binding } = errand;
      return { binding, transaction: transactionOf(errand), outer: errand };
    }));
  }

  async within<Inner extends Scope, Result>(
    scope: Inner,
    work: (transaction: TenantTransaction<Client, Inner>) => Promise<Result>,
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

  asScope(): TenantScope<Client, S> {
    return this;
  }

  /** A transaction of code that opens one by itself is a part of this one. */
  async transaction<Result>(
    work: (transaction: TenantTransaction<Client, S>) => Promise<Result>,
  ): Promise<Result> {
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
}
