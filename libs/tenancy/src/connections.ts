import type { AddressedShares, Asking } from '@tenantry/fair-shares';
import type { PoolClient } from 'pg';
import type { Binder } from './binding.ts';
import { askingIn, noConnection } from './connection-shares.ts';
import { OpenTransaction } from './open-transaction.ts';
import { exchange } from './protocol/exchange.ts';
import type { Answer, Query } from './protocol/query.ts';
import { asThrownHere, isRefusal } from './protocol/refusals.ts';
import { unbound, type Binding } from './scope.ts';
import type { Timeouts } from './timeouts.ts';
import type { Timings } from './timings.ts';

/** Options of {@link Connections}. */
export interface ConnectionsOptions {
  /** A connection of the pool that is not in use, or a new one. */
  readonly open: () => Promise<PoolClient>;
  readonly binder: Binder;
  readonly shares: AddressedShares;
  readonly timeouts: Timeouts;
  readonly timings: Timings;
}

/** Options of statements outside of a transaction. */
export interface RunOptions {
  /** By which they are timed. */
  readonly label?: string | undefined;
  /** Default: by the binding. */
  readonly asking?: Asking;
}

/** How a transaction begins. */
export interface BeginOptions {
  /** How long PostgreSQL lets it take. */
  readonly limitMs: number;
  /** How its connection is counted without a scope; default `statement`. */
  readonly use?: 'statement' | 'connection';
}

/** A connection in use. */
interface Taken {
  readonly client: PoolClient;
  readonly giveBack: (isBroken: boolean) => void;
}

/** Hands out connections in turn, and binds the statements on them. */
export class Connections {
  readonly #options: ConnectionsOptions;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Runs statements by themselves, in one exchange: outside of a transaction they take effect together. */
  async run(
    binding: Binding,
    queries: readonly Query[],
    { label, asking = askingIn(binding, 'statement') }: RunOptions = {},
  ): Promise<readonly Answer[]> {
    const { binder, timings } = this.#options;
    const { client, giveBack } = await this.#take(asking);
    const before = binder.beforeStatements(client, binding);
    const startedAt = performance.now();
    const { answers, error } = await exchange(client, [...before, ...queries], this.#options.timeouts);
    timings.answered(label, startedAt);
    binder.afterStatements(client, binding, error ? 'failed' : 'done');
    giveBack(error ? !isRefusal(error) : client.getTransactionStatus() !== 'I');
    if (error) throw asThrownHere(error);
    return answers.slice(before.length);
  }

  /** A transaction that its caller ends and releases. It begins with its first statement. */
  async begin(binding: Binding, { limitMs, use = 'statement' }: BeginOptions): Promise<OpenTransaction> {
    const { binder, timeouts } = this.#options;
    const taken = await this.#take(askingIn(binding, use));
    return new OpenTransaction({ ...taken, binder, binding, timeouts, limitMs });
  }

  /** A connection that is bound to no one. It is closed when it comes back inside a transaction. */
  async lend(): Promise<PoolClient> {
    const { binder, timeouts } = this.#options;
    const { client, giveBack } = await this.#take(askingIn(unbound, 'connection'));
    const { error } = await exchange(client, binder.beforeStatements(client, unbound), timeouts);
    binder.afterStatements(client, unbound, error ? 'failed' : 'done');
    if (error) {
      giveBack(true);
      throw asThrownHere(error);
    }
    client.release = (broken) => giveBack(Boolean(broken) || client.getTransactionStatus() !== 'I');
    return client;
  }

  /** A connection, when it is the caller's turn. Such callers never wait in the pool's own queue. */
  async #take(asking: Asking): Promise<Taken> {
    const { open, shares, timings } = this.#options;
    const askedAt = performance.now();
    try {
      const share = await shares.take(asking);
      const client = await open().catch((error: unknown) => {
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
      timings.connected(askedAt, performance.now());
    }
  }
}
