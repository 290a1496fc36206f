import { answeredRows } from './answered-rows.ts';
import { endOf, transactionOf, type Errand } from './errand.ts';
import { TenancyError } from './errors.ts';
import type { ScopedPrisma } from './models/scoped-prisma.ts';
import { queryOf } from './queries.ts';
import type { OwnerIn } from './owner-in.ts';
import type { TenantScope, TenantTransaction } from './rows.ts';
import type { Road } from './road.ts';
import { bindingOf, type Scope } from './scope.ts';
import type { Search } from './search/searched-text.ts';
import type { Statement } from './statement.ts';

/** The rows of a scope in a transaction. */
export class TransactionRows<Client, S extends Scope> implements TenantTransaction<Client, S> {
  readonly scope: S;
  readonly #errand: Errand;
  readonly #road: Road<Client>;
  #prisma: ScopedPrisma<Client, S> | undefined;

  constructor(scope: S, errand: Errand, road: Road<Client>) {
    this.scope = scope;
    this.#errand = errand;
    this.#road = road;
  }

  async query<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): Promise<Row[]> {
    const { rows } = await this.#road.pool.ask(this.#errand, queryOf(this.scope, statement, values));
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
    this.#road.pool.send(this.#errand, queryOf(this.scope, statement, values));
  }

  get prisma(): ScopedPrisma<Client, S> {
    const errand = this.#errand;
    return (this.#prisma ??= this.#road.models.of(this.scope, () => {
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
      return await this.#road.pool.resume(inner, () => work(new TransactionRows(scope, inner, this.#road)));
    } finally {
      inner.transaction = 'over';
    }
  }

  asScope(): TenantScope<Client, S> {
    return new TransactionAsScope(this.scope, this.#errand, this.#road);
  }
}

/** A transaction for code that opens one by itself: that one is a part of it. */
class TransactionAsScope<Client, S extends Scope>
  extends TransactionRows<Client, S>
  implements TenantScope<Client, S>
{
  readonly #errand: Errand;

  constructor(scope: S, errand: Errand, road: Road<Client>) {
    super(scope, errand, road);
    this.#errand = errand;
  }

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
