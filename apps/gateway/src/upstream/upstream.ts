import { Pool, type Dispatcher } from 'undici';
import type { Address } from '../routing/route-table.ts';

/** How a service is reached. */
export interface UpstreamOptions {
  readonly addresses: readonly Address[];
  /** How long an instance may stay silent. */
  readonly timeoutMs: number;
  readonly connectionsPerAddressMax?: number;
}

const connectTimeoutMsMax = 2_000;
/** Shorter than any service of ours keeps an idle connection (72 s), so that we close first. */
const idleMsMax = 30_000;
const restMs = 1_000;
const headBytesMax = 64 * 1024;

/** One service: its instances, and which of them is best asked now. */
export class Upstream {
  readonly timeoutMs: number;
  readonly #instances: readonly Instance[];
  #turn = 0;

  constructor({ addresses, timeoutMs, connectionsPerAddressMax = 1_024 }: UpstreamOptions) {
    this.timeoutMs = timeoutMs;
    this.#instances = addresses.map((address) => new Instance(address, timeoutMs, connectionsPerAddressMax));
  }

  /** The least busy instance, in turn among equals; undefined when all are full or among `except`. */
  choose(except: ReadonlySet<Instance> | undefined): Instance | undefined {
    const count = this.#instances.length;
    const only = this.#instances[0];
    if (count === 1 && only) return except?.has(only) || only.isFull ? undefined : only;

    const now = performance.now();
    const start = this.#turn++ % count;
    let best: Instance | undefined;
    for (let offset = 0; offset < count; offset++) {
      const instance = this.#instances[(start + offset) % count];
      if (!instance || except?.has(instance) || instance.isFull) continue;
      if (!best || instance.cost(now) < best.cost(now)) best = instance;
    }
    return best;
  }

  /** Closes every connection as soon as it carries nothing. */
  close(): void {
    for (const instance of this.#instances) instance.close();
  }
}

/** One address of a service, with its connections. */
export class Instance {
  readonly #pool: Pool;
  readonly #connectionsMax: number;
  #pending = 0;
  #restUntil = 0;

  constructor({ origin }: Address, timeoutMs: number, connectionsMax: number) {
    this.#connectionsMax = connectionsMax;
    this.#pool = new Pool(origin, {
      connections: connectionsMax,
      pipelining: 1,
      allowH2: false,
      connect: { timeout: Math.min(timeoutMs, connectTimeoutMsMax) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      keepAliveTimeout: idleMsMax,
      // A service that announces less is believed, one that announces more is not.
      keepAliveMaxTimeout: idleMsMax,
      maxHeaderSize: headBytesMax,
    });
  }

  /** A request too many would wait in a queue without end: it is better refused. */
  get isFull(): boolean {
    return this.#pending >= this.#connectionsMax;
  }

  /** Exchanges under way; at rest, more than any that is not: the last choice, yet never no choice. */
  cost(now: number): number {
    return now < this.#restUntil ? this.#pending + this.#connectionsMax : this.#pending;
  }

  /** Begins an exchange, which is to end in one {@link release}. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#pending++;
    this.#pool.dispatch(request, handler);
  }

  release(): void {
    this.#pending--;
  }

  /** It could not be reached: for a moment others are asked first. */
  rest(): void {
    this.#restUntil = performance.now() + restMs;
  }

  close(): void {
    void this.#pool.close();
  }
}
