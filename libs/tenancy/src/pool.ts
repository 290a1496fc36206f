import type { AddressedShares, Asking } from '@tenantry/fair-shares';
import { inSpan } from '@tenantry/tracing';
import pg, { type PoolClient } from 'pg';
import { createBinder, type Binder, type BindingMode } from './binding.ts';
import { askingIn, healthChecks, noConnection, shareConnections } from './connection-shares.ts';
import type { Errand } from './errand.ts';
import { TenancyError } from './errors.ts';
import { OpenTransaction } from './open-transaction.ts';
import { exchange } from './protocol/exchange.ts';
import { readable, valuesOf, type Answer, type Query } from './protocol/query.ts';
import { asThrownHere, isRefusal } from './protocol/refusals.ts';
import { errandOn, isInTransaction, runErrand } from './running.ts';
import { bindingOf, unbound, type Binding, type Scope } from './scope.ts';
import { standardTimeouts, type Timeouts } from './timeouts.ts';
import { takeTimings, type Timings } from './timings.ts';

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

/** How a transaction begins. */
interface BeginOptions {
  /** How long PostgreSQL lets it take. */
  readonly limitMs: number;
  /** How its connection is counted without a scope; default `statement`. */
  readonly use?: 'statement' | 'connection';
  /** Whether it only reads, and everything as of one moment; default: no. */
  readonly isSnapshot?: boolean;
}

/** A connection in use. */
interface Taken {
  readonly client: PoolClient;
  readonly giveBack: (isBroken: boolean) => void;
}

/** The span of a statement has its name; its text and its values stay out of it. */
export const statementSpan = {
  kind: 'client',
  attributes: { 'db.system.name': 'postgresql' },
} as const;

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
  readonly #binder: Binder;

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
    this.#binder = binder;
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
   * Runs statements in a scope, whatever the surrounding one, in one exchange: they take effect together. They are timed and
   * traced by the name of the last, which the others prepare.
   *
   * @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open.
   */
  run(binding: Binding, queries: readonly Query[]): Promise<readonly Answer[]> {
    this.refuseBesideTransaction();
    const label = queries.at(-1)?.label;
    const asking = askingIn(binding, 'statement');
    if (label === undefined) return this.#exchange(asking, binding, queries);
    return inSpan(label, statementSpan, () => this.#exchange(asking, binding, queries, label));
  }

  /** Runs one statement as {@link run} does. */
  async ask(binding: Binding, query: Query): Promise<Answer> {
    return readable((await this.run(binding, [query])).at(-1));
  }

  /** Resolves when the database answers. */
  async check(): Promise<void> {
    await this.#exchange(healthChecks, unbound, [{ text: 'SELECT 1' }]);
  }

  /** A transaction that its caller ends and releases. It begins with its first statement. */
  async begin(
    binding: Binding,
    { limitMs, use = 'statement', isSnapshot = false }: BeginOptions,
  ): Promise<OpenTransaction> {
    const taken = await this.#take(askingIn(binding, use));
    const options = { ...taken, binder: this.#binder, binding, timeouts: this.timeouts };
    return new OpenTransaction({ ...options, limitMs, isSnapshot });
  }

  /** A connection that is bound to no one. It is closed when it comes back inside a transaction. */
  override async connect(): Promise<PoolClient> {
    this.refuseBesideTransaction();
    const { client, giveBack } = await this.#take(askingIn(unbound, 'connection'));
    const { error } = await exchange(client, this.#binder.beforeStatements(client, unbound), this.timeouts);
    this.#binder.afterStatements(client, unbound, error ? 'failed' : 'done');
    if (error) {
      giveBack(true);
      throw asThrownHere(error);
    }
    client.release = (broken) => giveBack(Boolean(broken) || client.getTransactionStatus() !== 'I');
    return client;
  }

  /** One statement in the surrounding scope. */
  // oxlint-disable-next-line typescript/no-explicit-any -- one signature cannot satisfy pg's overloads
  override query(query: string | Query, values?: unknown): any {
    if (typeof values === 'function')
      throw new TenancyError('OPERATION_REFUSED', 'This pool answers by promise.');
    const { text, name, values: own = [] } = typeof query === 'string' ? { text: query } : query;
    const given = valuesOf((values as unknown[] | undefined) ?? own);
    return this.ask(this.errand?.binding ?? unbound, { text, name, label: name, values: given });
  }

  async #exchange(
    asking: Asking,
    binding: Binding,
    queries: readonly Query[],
    label?: string,
  ): Promise<readonly Answer[]> {
    const { client, giveBack } = await this.#take(asking);
    const before = this.#binder.beforeStatements(client, binding);
    const startedAt = performance.now();
    const { answers, error } = await exchange(client, [...before, ...queries], this.timeouts);
    this.timings.answered(label, startedAt);
    this.#binder.afterStatements(client, binding, error ? 'failed' : 'done');
    giveBack(error ? !isRefusal(error) : client.getTransactionStatus() !== 'I');
    if (error) throw asThrownHere(error);
    return answers.slice(before.length);
  }

  /** A connection, when it is the caller's turn. Such callers never wait in the pool's own queue. */
  async #take(asking: Asking): Promise<Taken> {
    const askedAt = performance.now();
    try {
      const share = await this.shares.take(asking);
      const client = await super.connect().catch((error: unknown) => {
        share.giveBack();
        throw error;
      });
      const release = client.release.bind(client);
      const giveBack = (isBroken: boolean) => {
        release(isBroken);
        share.giveBack();
      };
      return { client, giveBack };
    } catch (error) {
      throw noConnection(error);
    } finally {
      this.timings.connected(askedAt, performance.now());
    }
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
      return await (label === undefined ? work() : inSpan(label, statementSpan, work));
    } catch (error) {
      throw asThrownHere(error);
    } finally {
      this.timings.answered(label, startedAt);
    }
  }
}
