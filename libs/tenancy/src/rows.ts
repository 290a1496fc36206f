import type { Scope } from './scope.ts';
import type { Statement, UnscopedStatement } from './statement.ts';

/** A Prisma client without the ways around the scope. */
export type ScopedPrisma<Client> = Omit<Client, `$${string}`>;

/** Runs one named statement; the scope's organization, or user, is bound as `$1`, `values` from `$2` on. */
export type RunStatement = <Row, Values extends readonly unknown[]>(
  statement: Statement<Row, Values>,
  values: Values,
) => Promise<Row[]>;

/** Runs one named statement of unscoped tables, with `values` from `$1` on. */
export type RunUnscopedStatement = <Row, Values extends readonly unknown[]>(
  statement: UnscopedStatement<Row, Values>,
  values: Values,
) => Promise<Row[]>;

/** Rows that belong to no tenant: outside of any scope, or among those of one. Every {@link TenantRows} is one. */
export interface UnscopedRows {
  readonly query: RunUnscopedStatement;
}

/**
 * The rows of one scope, in a transaction or outside of one. A repository's methods take it as their first parameter,
 * so that each is written once and several of them, of several repositories, can take effect together.
 *
 * @example
 * const createNotes = () => ({
 *   list: (rows: TenantRows<PrismaClient>) => rows.query(allNotes, []),
 *   count: (rows: TenantRows<PrismaClient>) => rows.prisma.note.count(),
 * });
 */
export interface TenantRows<Client, S extends Scope = Scope> {
  /** On whose behalf its queries run, as given. */
  readonly scope: S;
  readonly query: RunStatement;
  /** The models of Prisma. A query starts when it is called. */
  readonly prisma: ScopedPrisma<Client>;
}

/** Rows of a scope whose queries run on one connection and take effect together. */
export interface TenantTransaction<Client, S extends Scope = Scope> extends TenantRows<Client, S> {
  /**
   * Runs `work` in another scope of the same transaction: for what concerns several tenants and takes effect
   * together. One after the other: nothing else of the transaction may run until it ends.
   */
  within<Inner extends Scope, Result>(
    scope: Inner,
    work: (transaction: TenantTransaction<Client, Inner>) => Promise<Result>,
  ): Promise<Result>;
  /**
   * The same rows as a scope, for code that opens a transaction by itself: its `transaction()` takes part in this one,
   * and a throw undoes that part alone. One part after the other.
   */
  asScope(): TenantScope<Client, S>;
}

/** Rows of a scope, each query on its own. */
export interface TenantScope<Client, S extends Scope = Scope> extends TenantRows<Client, S> {
  /**
   * Runs several queries in one transaction, which ends when `work` does; a throw rolls it back.
   *
   * @throws {TenancyError} TRANSACTION_NESTED inside of another one. TRANSACTION_BYPASSED for a query of `work` that
   * does not go through the transaction that it is given.
   */
  transaction<Result>(
    work: (transaction: TenantTransaction<Client, S>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Runs one statement and gives its rows in batches, all of one moment and never more than a batch at a time. It keeps
   * a connection until the last batch was taken or the loop is left, so bound how many run at once.
   *
   * @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open.
   * @example
   * for await (const leads of tenant.batches(allLeads, [], { rows: 500 })) await write(leads);
   */
  batches<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values>,
    values: Values,
    options: BatchOptions,
  ): AsyncIterable<Row[]>;
}

/** How long a transaction may take. */
export interface TransactionOptions {
  /** Default: the `transactionMs` of the pool. For bulk work whose number at once is bounded. */
  readonly limitMs?: number;
}

/** What {@link TenantScope.batches} takes. */
export interface BatchOptions {
  /** In one batch. */
  readonly rows: number;
}
