import type { LookupFunction } from 'node:net';
import { Pool, type Dispatcher } from 'undici';
import type { FailureKind, Outcomes } from './failure.ts';

/** Options of an instance. */
export interface InstanceOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** One address of the host; without it each connection looks the host up by itself. */
  readonly address?: string | undefined;
  /** How long it may stay silent. */
  readonly timeoutMs: number;
  readonly connectionsMax: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Counters shared with other instances. */
  readonly outcomes: Outcomes;
}

const connectTimeoutMsMax = 2_000;
/** Shorter than any service of ours keeps an idle connection (72 s), so that we close first. */
const idleMsMax = 30_000;
const headBytesMax = 64 * 1024;

const restMsMin = 1_000;
const restMsMax = 30_000;
/** A timeout may mean a sick instance, or a request that is slow anywhere. */
const silencesToEject = 3;
/** After this time any request may be the trial, if no repeatable one has come. */
const anyProbeMs = 5_000;

/**
 * One address of a service, with its connections.
 *
 * An instance that fails is ejected: for a while, longer each time, requests go to others. Then one request tries it (half
 * open); its success ends the ejection.
 */
export class Instance {
  readonly #options: InstanceOptions;
  #pool: Pool;
  #pending = 0;
  #failures = 0;
  #silences = 0;
  #ejectedUntil = 0;
  #probing = false;
  #leaving = false;

  constructor(options: InstanceOptions) {
    this.#options = options;
    this.#pool = openPool(options);
  }

  /** Exchanges under way. */
  get pending(): number {
    return this.#pending;
  }

  /** A further request would wait in an unbounded queue, so it is refused. */
  get isFull(): boolean {
    return this.#pending >= this.#options.connectionsMax;
  }

  /** Whether it is known to be shutting down: it still responds, but others are preferred. */
  get isLeaving(): boolean {
    return this.#leaving;
  }

  /** Whether it is ejected, until it has responded once. */
  get isResting(): boolean {
    return this.#failures > 0;
  }

  /** Whether it may get a request; after its ejection a single trial request, preferably a repeatable one. */
  mayTake({ repeatable }: { repeatable: boolean }): boolean {
    if (this.#failures === 0) return true;
    if (this.#probing) return false;
    const overdueMs = this.#options.now() - this.#ejectedUntil;
    return overdueMs >= (repeatable ? 0 : anyProbeMs);
  }

  /** Begins an exchange, which is to end in one {@link release}. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#pending++;
    if (this.#failures > 0) this.#probing = true;
    this.#pool.dispatch(request, handler);
  }

  release(): void {
    this.#pending--;
    this.#probing = false;
  }

  /** It has started to respond. */
  succeed(): void {
    this.#options.outcomes.answered++;
    this.#failures = 0;
    this.#silences = 0;
    this.#leaving = false;
  }

  /**
   * It has responded with success and closes the connection, so it is draining. It will also close its idle connections, and a
   * request sent on one would be lost, so they are closed here first, and requests go to others.
   */
  leave(): void {
    this.#options.outcomes.answered++;
    this.#silences = 0;
    this.#failures = 1;
    this.#ejectedUntil = this.#options.now() + restMsMin;
    if (this.#leaving) return;
    this.#leaving = true;
    this.close();
    this.#pool = openPool(this.#options);
  }

  /** An exchange with it has failed. */
  fail(kind: FailureKind): void {
    this.#options.outcomes[kind]++;
    if (kind === 'silent' && ++this.#silences < silencesToEject) return;
    this.#leaving = false;
    this.#ejectedUntil = this.#options.now() + Math.min(restMsMax, restMsMin * 2 ** this.#failures);
    this.#failures++;
  }

  /** Closes each connection as soon as it carries nothing. */
  close(): void {
    void this.#pool.close();
  }
}

function openPool({ origin, address, timeoutMs, connectionsMax }: InstanceOptions): Pool {
  return new Pool(origin, {
    connections: connectionsMax,
    pipelining: 1,
    allowH2: false,
    connect: {
      timeout: Math.min(timeoutMs, connectTimeoutMsMax),
      ...(address === undefined ? {} : { lookup: always(address) }),
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    keepAliveTimeout: idleMsMax,
    // Announced shorter times are used, longer ones ignored.
    keepAliveMaxTimeout: idleMsMax,
    maxHeaderSize: headBytesMax,
  });
}

/** Connects to this address, while the name stays what the certificate is checked against. */
function always(address: string): LookupFunction {
  const family = address.includes(':') ? 6 : 4;
  return (_hostname, { all }, done) => {
    if (all) done(null, [{ address, family }]);
    else done(null, address, family);
  };
}
