import type { PoolClient, PoolConfig } from 'pg';
import type { Query } from './protocol/query.ts';
import { settings, type Binding } from './scope.ts';
import type { Timeouts } from './timeouts.ts';

/**
 * How long a connection stays bound to a scope.
 *
 * - `connection`: until it is handed to another scope; costs nothing while the scope stays the same.
 * - `transaction`: until the end of each transaction; right behind a pooler in transaction mode (PgBouncer), where
 *   the next transaction may run on another server connection.
 */
export type BindingMode = 'connection' | 'transaction';

/** Options of {@link Binder}. */
export interface BinderOptions {
  readonly timeouts: Timeouts;
  /** Whether no transaction may write. */
  readonly readOnly: boolean;
}

/** What a transaction may do. */
export interface TransactionBounds {
  /** How long it may take. */
  readonly limitMs: number;
  /** Whether it only reads, and everything as of one moment. */
  readonly isSnapshot: boolean;
}

/** The one place where the two modes differ. What it gives goes before the statements of a scope, in the same exchange. */
export interface Binder {
  /** What the mode sets on every connection. */
  readonly connectionConfig: PoolConfig;
  /** Binds statements that run outside of a transaction. */
  beforeStatements(client: PoolClient, binding: Binding): readonly Query[];
  /** Takes note of what has come of such statements: where one failed, PostgreSQL has undone the binding with it. */
  afterStatements(client: PoolClient, binding: Binding, outcome: 'done' | 'failed'): void;
  /** Begins a transaction, and binds it. */
  beginning(client: PoolClient, binding: Binding, bounds: TransactionBounds): readonly Query[];
}

/** Creates the binder of a mode. */
export function createBinder(mode: BindingMode, options: BinderOptions): Binder {
  return mode === 'connection' ? new ConnectionBinder(options) : new TransactionBinder(options);
}

// One plan for all tenants. Left to itself PostgreSQL plans a statement with LIMIT $2 again at every execution, because
// it takes an unknown limit for a tenth of the table; for a page of ten rows that costs twice the execution.
export const planCacheMode = 'force_generic_plan';

/** PostgreSQL ends a transaction itself if the process that runs it does not. */
const graceMs = 1_000;

/** Sets all of them, in this order, and returns no row to be sent and read: `concat` is never null. */
const set = (names: readonly string[], duration: 'session' | 'transaction') =>
  `SELECT WHERE concat(${names.map((name, i) => `set_config('${name}', $${i + 1}, ${duration === 'transaction'})`).join(', ')}) IS NULL`;

const begin: Query = { name: 'tenancy-begin', text: 'BEGIN' };
// As it begins, since the binding is a query already.
const beginSnapshot: Query = {
  name: 'tenancy-begin-snapshot',
  text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
};
const beginningOf = ({ isSnapshot }: TransactionBounds): Query => (isSnapshot ? beginSnapshot : begin);

const bindConnection: Query = { name: 'tenancy-bind', text: set(settings, 'session') };
const rebind: Query = { name: 'tenancy-rebind', text: set(settings, 'transaction') };
const limit: Query = {
  name: 'tenancy-limit',
  text: set(['transaction_timeout', 'transaction_timeout'], 'transaction'),
};

/** Binds what is left of a transaction; its end undoes it, in either mode. */
export const rebinding = (binding: Binding): Query => ({ ...rebind, values: binding });

/** Gives a transaction another limit. It is taken off first: PostgreSQL does not change one that runs. */
const limiting = (limitMs: number): Query => ({
  ...limit,
  values: ['0', String(limitMs === Infinity ? 0 : limitMs + graceMs)],
});

class ConnectionBinder implements Binder {
  readonly connectionConfig: PoolConfig;
  readonly #transactionMs: number;
  readonly #bindings = new WeakMap<PoolClient, Binding>();

  constructor({ timeouts, readOnly }: BinderOptions) {
    this.#transactionMs = timeouts.transactionMs;
    this.connectionConfig = {
      options: [
        `-c plan_cache_mode=${planCacheMode}`,
        `-c default_transaction_read_only=${readOnly}`,
        `-c transaction_timeout=${timeouts.transactionMs + graceMs}`,
      ].join(' '),
      statement_timeout: timeouts.statementMs,
      idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    };
  }

  beforeStatements(client: PoolClient, binding: Binding): readonly Query[] {
    if (this.#isBound(client, binding)) return [];
    return [{ ...bindConnection, values: binding }];
  }

  afterStatements(client: PoolClient, binding: Binding, outcome: 'done' | 'failed'): void {
    if (outcome === 'done') this.#bindings.set(client, binding);
    else this.#bindings.delete(client);
  }

  beginning(client: PoolClient, binding: Binding, bounds: TransactionBounds): readonly Query[] {
    const { limitMs } = bounds;
    return [
      beginningOf(bounds),
      // For the transaction alone: a rollback would undo a binding of the connection unnoticed.
      ...(this.#isBound(client, binding) ? [] : [rebinding(binding)]),
      ...(limitMs === this.#transactionMs ? [] : [limiting(limitMs)]),
    ];
  }

  #isBound(client: PoolClient, binding: Binding): boolean {
    const bound = this.#bindings.get(client);
    return bound?.[0] === binding[0] && bound[1] === binding[1];
  }
}

class TransactionBinder implements Binder {
  readonly connectionConfig: PoolConfig = {};
  readonly #transactionMs: number;
  readonly #bind: Omit<Query, 'values'>;
  readonly #fixedValues: readonly string[];

  constructor({ timeouts, readOnly }: BinderOptions) {
    // A pooler refuses settings as start-up parameters, so all of them travel with each transaction.
    const fixed = {
      plan_cache_mode: planCacheMode,
      statement_timeout: String(timeouts.statementMs),
      idle_in_transaction_session_timeout: String(timeouts.idleInTransactionMs),
      transaction_timeout: String(timeouts.transactionMs + graceMs),
      ...(readOnly && { transaction_read_only: 'on' }),
    };
    this.#transactionMs = timeouts.transactionMs;
    this.#bind = {
      name: 'tenancy-bind',
      text: set([...settings, ...Object.keys(fixed)], 'transaction'),
    };
    this.#fixedValues = Object.values(fixed);
  }

  /** Statements of one exchange are one transaction. */
  beforeStatements(_client: PoolClient, binding: Binding): readonly Query[] {
    return [{ ...this.#bind, values: [...binding, ...this.#fixedValues] }];
  }

  afterStatements(): void {
    // The end of the transaction has undone the binding.
  }

  beginning(client: PoolClient, binding: Binding, bounds: TransactionBounds): readonly Query[] {
    const { limitMs } = bounds;
    const limited = limitMs === this.#transactionMs ? [] : [limiting(limitMs)];
    return [beginningOf(bounds), ...this.beforeStatements(client, binding), ...limited];
  }
}
