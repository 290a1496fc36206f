import type { LookupFunction } from 'node:net';
import { Pool, type Dispatcher } from 'undici';
import type { FailureKind } from './failure.ts';
import type { Outcomes } from './outcomes.ts';

/** How an instance is reached. */
export interface InstanceOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** One address of the host; without it each connection looks the host up by itself. */
  readonly address?: string | undefined;
  /** How long it may stay silent. */
  readonly timeoutMs: number;
  readonly connectionsMax: number;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
  /** Where its exchanges are counted, beside those of other instances. */
  readonly outcomes: Outcomes;
}

const connectTimeoutMsMax = 2_000;
/** Shorter than any service of ours keeps an idle connection (72 s), so that we close first. */
const idleMsMax = 30_000;
const headBytesMax = 64 * 1024;

const restMsMin = 1_000;
const restMsMax = 30_000;
/** A timeout may be a sick instance, or a request that takes long anywhere. */
const silencesToEject = 3;
/** After so long a rest any request may be the one that tries, if none that can be repeated has come by. */
const anyProbeMs = 5_000;

/**
 * One address of a service, with its connections.
 *
 * An instance that fails is ejected: for a while, longer each time, others are asked in its place. Then one request
 * tries it (half open); its success ends the ejection.
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

  /** Whether it is shutting down, as far as known: it still responds, but others are preferred. */
  get isLeaving(): boolean {
    return this.#leaving;
  }

  /** Whether it is ejected, until it has responded once. */
  get isResting(): boolean {
    return this.#failures > 0;
  }

  /** Whether it is among those to ask; once its ejection has ended, that is one request, better one that can be repeated. */
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
   * It has answered well and closes the connection: it drains. It is going to close its idle connections too, and a
   * request that meets the end of one is lost, so they are closed from here first, and others are asked in its place.
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
    // A service that announces less is believed, one that announces more is not.
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
