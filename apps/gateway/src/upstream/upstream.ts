import type { Address } from '../routing/route-table.ts';
import { Connection, type ConnectionOwner } from './connection.ts';

/** How a service is reached. */
export interface UpstreamOptions {
  readonly addresses: readonly Address[];
  readonly timeoutMs: number;
}

/** Which connection an exchange wants. */
export interface ConnectionWish {
  /** Addresses that have just failed this very exchange. */
  readonly except: ReadonlySet<Address> | undefined;
  /** A connection of its own, for a request that a reused one has failed. */
  readonly fresh: boolean;
}

const connectTimeoutMsMax = 2_000;
/** Shorter than any service of ours keeps an idle connection (72 s), so that we close first. */
const idleMsMax = 30_000;
const restMs = 1_000;
const connectionsPerAddressMax = 1_024;

/** One service: its addresses, their connections, and which of them is best asked now. */
export class Upstream {
  readonly #instances: readonly Instance[];
  #turn = 0;

  constructor({ addresses, timeoutMs }: UpstreamOptions) {
    this.#instances = addresses.map((address) => new Instance(address, timeoutMs));
  }

  /** A connection of the least busy address, in turn among equals; undefined when all are taken or tried. */
  take({ except, fresh }: ConnectionWish): { connection: Connection; address: Address } | undefined {
    const instance = this.#choose(except);
    return instance && { connection: instance.take(fresh), address: instance.address };
  }

  /** Closes the connections that carry nothing. */
  close(): void {
    for (const instance of this.#instances) instance.close();
  }

  /** An address at rest is the last choice, never no choice: it may be the only one. */
  #choose(except: ReadonlySet<Address> | undefined): Instance | undefined {
    const count = this.#instances.length;
    const only = this.#instances[0];
    if (count === 1 && only) return except?.has(only.address) || only.isFull ? undefined : only;

    const now = performance.now();
    const start = this.#turn++ % count;
    let best: Instance | undefined;
    for (let offset = 0; offset < count; offset++) {
      const instance = this.#instances[(start + offset) % count];
      if (!instance || except?.has(instance.address) || instance.isFull) continue;
      if (!best || instance.cost(now) < best.cost(now)) best = instance;
    }
    return best;
  }
}

/** One address with its connections. */
class Instance implements ConnectionOwner {
  readonly address: Address;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly #idle: Connection[] = [];
  #connections = 0;
  #restUntil = 0;

  constructor(address: Address, timeoutMs: number) {
    this.address = address;
    this.timeoutMs = timeoutMs;
    this.connectTimeoutMs = Math.min(timeoutMs, connectTimeoutMsMax);
  }

  get isFull(): boolean {
    return this.#idle.length === 0 && this.#connections >= connectionsPerAddressMax;
  }

  /** Exchanges under way; at rest, more than any that is not. */
  cost(now: number): number {
    const pending = this.#connections - this.#idle.length;
    return now < this.#restUntil ? pending + connectionsPerAddressMax : pending;
  }

  take(fresh: boolean): Connection {
    while (!fresh) {
      // The latest first, so that those not needed for the load of the hour grow old.
      const connection = this.#idle.pop();
      if (!connection) break;
      if (connection.isUsable && performance.now() - connection.idleSince < idleMsMax) return connection;
      connection.abort();
    }
    this.#connections++;
    return new Connection(this);
  }

  readonly onIdle = (connection: Connection): void => {
    connection.idleSince = performance.now();
    this.#idle.push(connection);
  };

  readonly onClosed = (connection: Connection): void => {
    this.#connections--;
    const index = this.#idle.indexOf(connection);
    if (index >= 0) this.#idle.splice(index, 1);
    if (!connection.isConnected) this.#restUntil = performance.now() + restMs;
  };

  close(): void {
    for (const connection of this.#idle.splice(0)) connection.abort();
  }
}
