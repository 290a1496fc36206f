import type { AddressedShares } from '@tenantry/fair-shares';
import pg, { type PoolClient } from 'pg';
import { createBinder, type BindingMode } from './binding.ts';
import { healthChecks, shareConnections } from './connection-shares.ts';
import { Connections } from './connections.ts';
import { transactionOf, type Errand } from './errand.ts';
import { TenancyError } from './errors.ts';
import { readable, valuesOf, type Answer, type Query } from './protocol/query.ts';
import { asThrownHere } from './protocol/refusals.ts';
import { errandOn, isInTransaction, runErrand } from './running.ts';
import { bindingOf, unbound, type Binding, type Scope } from './scope.ts';
import { asStatement } from './statement-spans.ts';
import { standardTimeouts, type Timeouts } from './timeouts.ts';
import { takeTimings, type Timings } from './timings.ts';
import { transact } from './transact.ts';

/** Options of {@link TenantPool}. */
export interface TenantPoolOptions {
  /** The runtime role's address; its role owns nothing and cannot bypass row-level security. */
  readonly connectionString: string;
  /** Default: `connection`. */
  readonly binding?: BindingMode;
  /** Maximum connections; default 10. */
  readonly poolSize?: number;
  /** Maximum connections that one organization may hold, or one user without an organization; default half, at least one. */
  readonly connectionsPerSharerMax?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Named in pg_stat_activity. */
  readonly applicationName?: string;
  /** Called for idle connections that broke; the pool replaces them by itself. */
  readonly onConnectionLost?: (error: Error) => void;
  /** Whether no transaction may write; by default they may. */
  readonly readOnly?: boolean;
  /** Where its work is timed; by default on its own. */
  readonly timings?: Timings;
}

/**
 * Clients that connect within a time. Callers never wait in the pool's own queue, so the pool needs no time limit of its own,
 * for which it sets a timer at each checkout.
 */
const clientWithin = (connectMs: number) =>
  class extends pg.Client {
    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionTimeoutMillis: connectMs });
    }
  };

/**
 * The connections of a service. A statement is bound to its caller's scope in the same exchange, and without a scope it is
 * unbound. Organizations get connections in turn. Each organization, and each client address, may hold only a part of the pool.
 */
export class TenantPool extends pg.Pool {
  readonly timeouts: Timeouts;
  readonly binding: BindingMode;
  /** Which sharers hold its connections, and which wait for one. */
  readonly shares: AddressedShares;
  /** How long connections and statements have taken so far. */
  readonly timings: Timings;
  readonly connections: Connections;

  constructor(options: TenantPoolOptions) {
    const timeouts = { ...standardTimeouts, ...options.timeouts };
    const { binding = 'connection', poolSize = 10, readOnly = false } = options;
    const binder = createBinder(binding, { timeouts, readOnly });
    super({
      connectionString: options.connectionString,
      max: poolSize,
      Client: clientWithin(timeouts.connectMs),
      query_timeout: timeouts.answerMs,
      keepAlive: true,
      ...(options.applicationName === undefined ? {} : { application_name: options.applicationName }),
      ...binder.connectionConfig,
    });
    this.timeouts = timeouts;
    this.binding = binding;
    this.shares = shareConnections({
      name: readOnly ? 'replica-connections' : 'database-connections',
      poolSize,
      perSharerMax: options.connectionsPerSharerMax,
      waitMsMax: timeouts.connectMs,
    });
    this.timings = options.timings ?? takeTimings();
    const { shares, timings } = this;
    this.connections = new Connections({ open: () => super.connect(), binder, timeouts, shares, timings });
    // Without a listener a connection that breaks while idle would end the process; one that breaks at work also
    // rejects its query.
    this.on('error', (error) => options.onConnectionLost?.(error));
    this.on('connect', (client) => client.on('error', () => undefined));
  }

  /** What runs now, if it runs in a scope. */
  get errand(): Errand | undefined {
    return errandOn(this);
  }

  /** Whether what runs now runs in a transaction. */
  get isInTransaction(): boolean {
    return isInTransaction(this.errand);
  }

  /**
   * Runs `work`, and every query that it starts on this pool itself, in a scope.
   *
   * @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open.
   */
  within<Result>(scope: Scope, work: () => Result): Result {
    this.refuseBesideTransaction();
    return this.resume({ binding: bindingOf(scope) }, work);
  }

  /** Runs `work` as a part of an errand. */
  resume<Result>(errand: Errand, work: () => Result): Result {
    return runErrand(this, errand, work);
  }

  /**
   * Runs one statement in a scope, whatever the surrounding one.
   *
   * @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open.
   */
  async run(binding: Binding, query: Query): Promise<Answer> {
    return readable((await this.runAll(binding, [query])).at(-1));
  }

  /** Runs statements as {@link run} does, in one exchange. They are known by the last of them, which the others prepare. */
  runAll(binding: Binding, queries: readonly Query[]): Promise<readonly Answer[]> {
    this.refuseBesideTransaction();
    const label = queries.at(-1)?.label;
    return asStatement(label, () => this.connections.run(binding, queries, { label }));
  }

  /** Resolves when the database answers. */
  async check(): Promise<void> {
    await this.connections.run(unbound, [{ text: 'SELECT 1' }], { asking: healthChecks });
  }

  /** Runs one statement of the transaction of an errand, behind those that {@link send} has queued. */
  async ask(errand: Errand, query: Query): Promise<Answer> {
    const transaction = transactionOf(errand);
    return readable(await this.timed(query.label, () => transaction.ask(errand.binding, query)));
  }

  /** Queues one statement of the transaction of an errand. The transaction fails if it does. */
  send(errand: Errand, query: Query): void {
    const transaction = transactionOf(errand);
    this.timed(query.label, () => transaction.send(errand.binding, query)).catch(() => undefined);
  }

  /**
   * Runs `work` in a transaction, which ends when `work` does; a throw rolls it back.
   *
   * @throws {TenancyError} TRANSACTION_NESTED, TRANSACTION_EXPIRED, TRANSACTION_FAILED
   */
  transaction<Result>(
    binding: Binding,
    work: (errand: Errand) => Promise<Result>,
    limitMs = this.timeouts.transactionMs,
  ): Promise<Result> {
    if (this.isInTransaction) {
      throw new TenancyError(
        'TRANSACTION_NESTED',
        'A transaction is already open here. Use the one you were given, and its within() for another scope.',
      );
    }
    const errand: Errand = { binding, transaction: 'beginning' };
    return this.resume(errand, () => transact(this.connections, errand, work, limitMs));
  }

  /** A connection that is bound to no one. It is closed when it comes back inside a transaction. */
  override async connect(): Promise<PoolClient> {
    this.refuseBesideTransaction();
    return this.connections.lend();
  }

  /** One statement in the surrounding scope. */
  // oxlint-disable-next-line typescript/no-explicit-any -- one signature cannot satisfy pg's overloads
  override query(query: string | Query, values?: unknown): any {
    if (typeof values === 'function')
      throw new TenancyError('OPERATION_REFUSED', 'This pool answers by promise.');
    const { text, name, values: own = [] } = typeof query === 'string' ? { text: query } : query;
    const given = valuesOf((values as unknown[] | undefined) ?? own);
    return this.run(this.errand?.binding ?? unbound, { text, name, label: name, values: given });
  }

  /** @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open: what ran now would not take effect with it. */
  refuseBesideTransaction(): void {
    if (!this.isInTransaction) return;
    throw new TenancyError(
      'TRANSACTION_BYPASSED',
      'A transaction is open here and this query would run outside of it. Use the transaction you were given.',
    );
  }

  /** Times, and traces, work under a name that stands in the code. */
  async timed<Result>(label: string | undefined, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await asStatement(label, work);
    } catch (error) {
      throw asThrownHere(error);
    } finally {
      this.timings.answered(label, startedAt);
    }
  }
}
