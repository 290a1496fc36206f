import type { OrganizationScope, Scope, UserScope } from './scope.ts';
import type { Search } from './search/searched-text.ts';
import type { OwnerIn, Statement } from './statement.ts';

/**
 * The rows of one scope, in a transaction or outside of one. A repository's methods take it as their first parameter,
 * so that each is written once and several of them, of several repositories, can take effect together.
 *
 * @example
 * class NotesRepository {
 *   list(rows: OrganizationRows): Promise<Note[]> {
 *     return rows.query(allNotes, []);
 *   }
 * }
 */
export interface TenantRows<S extends Scope = Scope> {
  /** On whose behalf its queries run, as given. It stands first and is mapped, so that the members of rows are compared. */
  readonly scope: Readonly<S>;
  /**
   * Runs a named statement, and returns its rows. Its owner, the organization or user of the scope, is bound as `$1`, and
   * `values` from `$2` on; without an owner, `values` begin with `$1`.
   */
  query<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): Promise<Row[]>;
  /**
   * Finds a term: by its index if a sample suggests that few rows contain it, otherwise by reading all rows, as a transaction
   * always does.
   *
   * @param values those of either form of the search, the term among them
   */
  search<Row, Values extends readonly unknown[]>(
    search: Search<Row, Values, OwnerIn<S>>,
    term: string,
    values: Values,
  ): Promise<Row[]>;
  /** The Prisma models of the scope's owner, and the unscoped ones: `modelsOf` gives them their types. */
  readonly prisma: unknown;
}

/** Rows of a scope, each query on its own. */
export interface TenantScope<S extends Scope = Scope> extends TenantRows<S> {
  readonly scope: Readonly<S>;
  /**
   * Runs several queries in one transaction, which ends when `work` does; a throw rolls it back.
   *
   * @throws {TenancyError} TRANSACTION_NESTED inside of another one. TRANSACTION_BYPASSED for a query of `work` that
   * does not go through the transaction that it is given. TRANSACTION_FAILED where a statement has failed and `work` continues.
   */
  transaction<Result>(
    work: (transaction: TenantTransaction<S>) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  /**
   * Runs a statement and yields its rows in batches, all of one snapshot and never more than one batch in memory. It holds a
   * connection until the last batch was taken or the loop is left, so limit how many run in parallel.
   *
   * @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open.
   * @example
   * for await (const leads of tenant.batches(allLeads, [], { rows: 500 })) await write(leads);
   */
  batches<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
    options: BatchOptions,
  ): AsyncIterable<Row[]>;
  /**
   * Reads with any number of statements as of one moment (REPEATABLE READ). It holds a connection until `work` ends, so limit how
   * many run in parallel.
   *
   * @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open.
   * @example
   * await tenant.snapshot(async (rows) => write(rows.batches(allLeads, [], { rows: 500 })), { limitMs: 60_000 });
   */
  snapshot<Result>(
    work: (snapshot: TenantSnapshot<S>) => Promise<Result>,
    options: Required<TransactionOptions>,
  ): Promise<Result>;
}

/** The rows of a scope as of one moment. */
export interface TenantSnapshot<S extends Scope = Scope> {
  readonly scope: Readonly<S>;
  query<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): Promise<Row[]>;
  /** The rows of a statement in batches, never more than one in memory; each may be taken a minute after the one before. */
  batches<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
    options: BatchOptions,
  ): AsyncIterable<Row[]>;
}

/** Rows of a scope whose queries run on one connection and take effect together. */
export interface TenantTransaction<S extends Scope = Scope> extends TenantRows<S> {
  readonly scope: Readonly<S>;
  /**
   * Queues a statement whose result is not awaited, such as an audit entry. It goes to PostgreSQL with the next query, or with
   * COMMIT; if it fails, so does the transaction.
   */
  send<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, OwnerIn<S>>,
    values: Values,
  ): void;
  /** Runs `work` in another scope of the same transaction: for changes to several tenants that take effect together. */
  within<Inner extends Scope, Result>(
    scope: Inner,
    work: (transaction: TenantTransaction<Inner>) => Promise<Result>,
  ): Promise<Result>;
  /**
   * The same rows as a scope, for code that opens a transaction by itself: its `transaction()` takes part in this one,
   * and a throw undoes that part alone. One part after the other.
   */
  asScope(): TenantScope<S>;
}

/** The rows of an organization, in a transaction or outside of one. */
export type OrganizationRows = TenantRows<OrganizationScope>;
/** Rows of an organization that take effect together. */
export type OrganizationTransaction = TenantTransaction<OrganizationScope>;

/** The rows of a user across organizations, in a transaction or outside of one. */
export type UserRows = TenantRows<UserScope>;
/** Rows of a user that take effect together. */
export type UserTransaction = TenantTransaction<UserScope>;

/** Rows that belong to no tenant: outside of any scope, or among those of one. All other rows are such as well. */
export interface UnscopedRows {
  query<Row, Values extends readonly unknown[]>(
    statement: Statement<Row, Values, 'unscoped'>,
    values: Values,
  ): Promise<Row[]>;
  readonly prisma: unknown;
}

/** The timeout of a transaction. */
export interface TransactionOptions {
  /** Default: the `transactionMs` of the pool. For bulk work whose number at once is bounded. */
  readonly limitMs?: number;
}

/** Options of {@link TenantScope.batches}. */
export interface BatchOptions {
  /** In one batch. */
  readonly rows: number;
}
