import { AsyncLocalStorage } from 'node:async_hooks';
import type { FairShares, Share, Sharer } from '@tenantry/fair-shares';
import { duringTransaction } from '@tenantry/transaction-guard';
import pg, { type PoolClient, type QueryConfig, type QueryResult } from 'pg';
import { createBinder, sentTogether, type Binder, type BindingMode, type Send } from './binding.ts';
import { healthChecks, noConnection, sharerIn, shareConnections } from './connection-shares.ts';
import { connectionOf, endOf, type Errand } from './errand.ts';
import { TenancyError } from './errors.ts';
import type { BatchOptions } from './rows.ts';
import { bindingOf, unbound, type Binding, type Scope } from './scope.ts';
import { asStatement, batchesAsStatement } from './statement-spans.ts';
import { standardTimeouts, type Timeouts } from './timeouts.ts';
import { takeTimings, type TakenTimings } from './timings.ts';

/** What a {@link TenantPool} is made of. */
export interface TenantPoolOptions {
  /** The runtime role's address; its role owns nothing and cannot bypass row-level security. */
  readonly connectionString: string;
  /** Default: `connection`. */
  readonly binding?: BindingMode;
  /** Connections at most; default 10. */
  readonly poolSize?: number;
  /** Of them, how many one organization may hold, or one user without an organization; default half, and one at least. */
  readonly connectionsPerSharerMax?: number;
  readonly timeouts?: Partial<Timeouts>;
  /** Named in pg_stat_activity. */
  readonly applicationName?: string;
  /** Called for idle connections that broke; the pool replaces them by itself. */
  readonly onConnectionLost?: (error: Error) => void;
  /** Whether no transaction may write; by default they may. */
  readonly readOnly?: boolean;
  /** Where its work is timed; by default on its own. */
  readonly timings?: TakenTimings;
}

/** How long the reader of batches may take over one: a client behind it may be slow. */
const batchIdleMsMax = 60_000;

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (broken?: Error | boolean) => void,
) => void;

/**
 * A pool that hands out connections bound to the scope of the caller, and to nobody outside of a scope. Organizations get
 * them in turn, and each of them a part of the pool at most.
 *
 * It is handed to Prisma in place of a plain pool, so that no query reaches a connection past it.
 */
export class TenantPool extends pg.Pool {
  readonly timeouts: Timeouts;
  readonly binding: BindingMode;
  /** Who holds its connections, and who waits for one. */
  readonly shares: FairShares;
  readonly #binder: Binder;
  readonly #timings: TakenTimings;
  readonly #errands = new AsyncLocalStorage<Errand>();

  constructor(options: TenantPoolOptions) {
    const timeouts = { ...standardTimeouts, ...options.timeouts };
    const binding = options.binding ?? 'connection';
    const binder = createBinder(binding, { timeouts, readOnly: options.readOnly ?? false });
    const poolSize = options.poolSize ?? 10;
    super({
      connectionString: options.connectionString,
      max: poolSize,
      connectionTimeoutMillis: timeouts.connectMs,
      query_timeout: timeouts.answerMs,
      keepAlive: true,
      ...(options.applicationName === undefined ? {} : { application_name: options.applicationName }),
      ...binder.connectionConfig,
    });
    this.timeouts = timeouts;
    this.binding = binding;
    this.shares = shareConnections({
      name: options.readOnly === true ? 'replica-connections' : 'database-connections',
      poolSize,
      perSharerMax: options.connectionsPerSharerMax,
      waitMsMax: timeouts.connectMs,
    });
    this.#binder = binder;
    this.#timings = options.timings ?? takeTimings();
    // Without a listener a connection that breaks while idle would end the process; one that breaks at work also
    // rejects its query.
    this.on('error', (error) => options.onConnectionLost?.(error));
    this.on('connect', (client) => client.on('error', () => undefined));
  }

  /**
   * Runs `work`, and every query that it starts on this pool, in a scope.
   *
   * @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open.
   */
  within<Result>(scope: Scope, work: (errand: Errand) => Result): Result {
    this.#refuseBesideTransaction();
    return this.resume({ scope, binding: bindingOf(scope) }, work);
  }

  /** Runs `work`, which begins a transaction by asking for a connection, in a scope. */
  transaction<Result>(scope: Scope, work: (errand: Errand) => Result): Result {
    if (this.isInTransaction) {
      throw new TenancyError(
        'TRANSACTION_NESTED',
        'A transaction is already open here. Use the one you were given, and its within() for another scope.',
      );
    }
    const errand: Errand = { scope, binding: bindingOf(scope), transaction: 'beginning' };
    const guarded = {
      get isOpen() {
        return typeof errand.transaction === 'object';
      },
      refuse: (error: Error) => (errand.refused ??= error),
    };
    return duringTransaction(guarded, () => this.resume(errand, work));
  }

  /** Runs `work` as a part of an errand. */
  resume<Result>(errand: Errand, work: (errand: Errand) => Result): Result {
    return this.#errands.run(errand, work, errand);
  }

  /** What runs now, if it runs in a scope. */
  get errand(): Errand | undefined {
    return this.#errands.getStore();
  }

  /**
   * Runs one statement in the given scope, whatever the surrounding one.
   *
   * @throws {TenancyError} TRANSACTION_BYPASSED where a transaction is open.
   */
  async run(binding: Binding, query: QueryConfig): Promise<QueryResult> {
    this.#refuseBesideTransaction();
    return asStatement(query.name, () => this.#run(binding, query.name, (client) => client.query(query)));
  }

  /** Resolves when the database answers. */
  async check(): Promise<void> {
    await this.#run(unbound, undefined, (client) => client.query('SELECT 1'), healthChecks);
  }

  /** Runs one statement as {@link run} does, right after another one: on the same server, in the same round trip. */
  async runBehind(
    before: QueryConfig,
    binding: Binding,
    query: QueryConfig,
  ): Promise<readonly [before: QueryResult, result: QueryResult]> {
    this.#refuseBesideTransaction();
    const send = async (client: PoolClient) => {
      const [first, second] = await sentTogether(client, () =>
        Promise.allSettled([client.query(before), client.query(query)]),
      );
      if (first.status === 'rejected') throw first.reason;
      if (second.status === 'rejected') throw second.reason;
      return [first.value, second.value] as const;
    };
    return asStatement(query.name, () => this.#run(binding, query.name, send));
  }

  async #run<Answer>(
    binding: Binding,
    name: string | undefined,
    send: Send<Answer>,
    sharer = sharerIn(binding, 'statement'),
  ): Promise<Answer> {
    const { client, share } = await this.#connected(sharer);
    const startedAt = performance.now();
    try {
      const result = await this.#binder.run(client, binding, send);
      client.release(!isIntact(client));
      return result;
    } catch (error) {
      client.release(isIntact(client, error) ? undefined : true);
      throw error;
    } finally {
      share.giveBack();
      this.#timings.answered(name, startedAt);
    }
  }

  /** Runs one statement on the connection of the transaction that runs in this scope. */
  async runWithin(errand: Errand, query: QueryConfig): Promise<QueryResult> {
    const connection = connectionOf(errand);
    const startedAt = performance.now();
    try {
      return await asStatement(query.name, () => connection.query(query));
    } finally {
      this.#timings.answered(query.name, startedAt);
    }
  }

  /** Times, and traces, what sends queries without a name, such as a call of Prisma, under a name that stands in the code. */
  async timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await asStatement(name, work);
    } finally {
      this.#timings.answered(name, startedAt);
    }
  }

  /** How long connections and statements have taken so far. */
  get timings(): TakenTimings {
    return this.#timings;
  }

  /** Runs a query in a scope and gives its rows batch by batch, on a connection of its own. */
  batches(scope: Scope, query: QueryConfig, options: BatchOptions): AsyncGenerator<unknown[]> {
    return batchesAsStatement(query.name, this.#batches(scope, query, options));
  }

  async *#batches(scope: Scope, query: QueryConfig, { rows: size }: BatchOptions): AsyncGenerator<unknown[]> {
    this.#refuseBesideTransaction();
    const errand: Errand = { scope, binding: bindingOf(scope) };
    const client = await this.#errands.run(errand, async () => this.#lend(errand));
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL idle_in_transaction_session_timeout = ${batchIdleMsMax}`);
      const { text, values = [] } = query;
      await client.query({ text: `DECLARE batches NO SCROLL CURSOR FOR ${text}`, values });
      for (let last = size; last === size;) {
        const askedAt = performance.now();
        const { rows } = await client.query<object>(`FETCH ${size} FROM batches`);
        this.#timings.answered(query.name, askedAt);
        last = rows.length;
        if (last > 0) yield rows;
      }
      await client.query('COMMIT');
    } finally {
      // Closes the connection of a transaction that was left.
      client.release();
    }
  }

  /** A connection bound to the surrounding scope. It is closed when it comes back inside a transaction. */
  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | undefined {
    // Read now: a request that waits for a connection is woken in the context of the one that released it.
    const lent = this.#lend(this.#errands.getStore());
    if (!callback) return lent;
    lent.then(
      (client) => callback(undefined, client, (broken) => client.release(broken)),
      (error: unknown) => callback(error as Error, undefined, () => undefined),
    );
    return undefined;
  }

  /** One statement in the surrounding scope. */
  // oxlint-disable-next-line typescript/no-explicit-any -- one signature cannot satisfy pg's overloads
  override query(query: string | QueryConfig, values?: unknown): any {
    if (typeof values === 'function')
      throw new TenancyError('OPERATION_REFUSED', 'This pool answers by promise.');
    const config = typeof query === 'string' ? { text: query } : query;
    const binding = this.#errands.getStore()?.binding ?? unbound;
    return this.run(binding, values === undefined ? config : { ...config, values: values as unknown[] });
  }

  async #lend(errand: Errand | undefined): Promise<PoolClient> {
    this.#refuseBesideTransaction();
    const binding = errand?.binding ?? unbound;
    const { client, share } = await this.#connected(sharerIn(binding, 'connection'));
    const giveBack = client.release.bind(client);
    const release = (broken?: Error | boolean) => {
      giveBack(broken);
      share.giveBack();
    };
    try {
      await this.#binder.lend(client, binding);
    } catch (error) {
      release(true);
      throw error;
    }
    if (errand?.transaction === 'beginning') errand.transaction = client;
    client.release = (broken?: Error | boolean) => {
      if (errand?.transaction === client) errand.transaction = endOf(errand) ?? 'over';
      this.#binder.reclaim(client);
      release(broken ?? !isIntact(client));
    };
    return client;
  }

  /** A connection, once it is the sharer's turn. Those that have a turn never wait in the pool's own queue. */
  async #connected(sharer: Sharer): Promise<{ readonly client: PoolClient; readonly share: Share }> {
    const askedAt = performance.now();
    let share: Share | undefined;
    try {
      share = await this.shares.take(sharer);
      return { client: await super.connect(), share };
    } catch (error) {
      share?.giveBack();
      throw noConnection(error);
    } finally {
      this.#timings.connected(askedAt, performance.now());
    }
  }

  /** Whether what runs now runs in a transaction. */
  get isInTransaction(): boolean {
    return typeof this.#errands.getStore()?.transaction === 'object';
  }

  /** On another connection a query neither sees what the transaction wrote nor takes effect with it. */
  #refuseBesideTransaction(): void {
    if (!this.isInTransaction) return;
    throw new TenancyError(
      'TRANSACTION_BYPASSED',
      'A transaction is open here and this query would run outside of it. Use the transaction you were given.',
    );
  }
}

/** Whether a connection may serve the next one: the server answered, and no transaction was left open. */
function isIntact(client: PoolClient, error?: unknown): boolean {
  const answered = error === undefined || (error instanceof pg.DatabaseError && error.severity === 'ERROR');
  return answered && client.getTransactionStatus() === 'I';
}
