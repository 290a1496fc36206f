import { setTimeout as delay } from 'node:timers/promises';
import { retryDelayMs } from './backoff.ts';
import { getJson, UnexpectedStatus } from './http-get.ts';
import { readRevocationPage, type Revocation } from './revocations.ts';

/** How long the issuer may hold a poll: well under the 30 s after which news counts as stale. */
const waitSecondsMax = 10;
const answerTimeoutMs = 5000;
const bodyBytesMax = 64 * 1024 * 1024;
/** A server that does not wait is asked no more often than this. */
const pollIntervalMsMin = 100;

/** What a {@link RevocationFeed} is made of. */
export interface RevocationFeedOptions {
  readonly url: string;
  readonly clock: () => number;
  /** Takes in news, or throws: the same news is then asked for again. */
  readonly apply: (news: readonly Revocation[]) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows the issuer's feed of revocations by long poll, from creation until its signal ends it.
 * It never keeps a process alive.
 */
export class RevocationFeed {
  /** Resolves at the issuer's first answer. */
  readonly loaded: Promise<void>;
  readonly #options: RevocationFeedOptions;
  #signalLoaded!: () => void;
  #cursor: string | undefined;
  #failures = 0;
  #newsAtMs = -Infinity;
  #lastError: unknown;

  constructor(options: RevocationFeedOptions) {
    this.#options = options;
    this.loaded = new Promise((resolve) => (this.#signalLoaded = resolve));
    void this.#follow();
  }

  /** Milliseconds since the issuer last answered; Infinity before its first answer. */
  get staleMs(): number {
    return Math.max(0, this.#options.clock() - this.#newsAtMs);
  }

  /** Why the last poll failed, if it did. */
  get lastError(): unknown {
    return this.#lastError;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      const pauseMs = await this.#poll();
      await delay(pauseMs, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** Asks once and gives the time to wait before asking again. */
  async #poll(): Promise<number> {
    const startedAtMs = performance.now();
    try {
      const page = readRevocationPage(await this.#ask());
      this.#options.apply(page.entries);
      this.#cursor = page.cursor;
      this.#newsAtMs = this.#options.clock();
      this.#failures = 0;
      this.#lastError = undefined;
      this.#signalLoaded();
      return Math.max(0, pollIntervalMsMin - (performance.now() - startedAtMs));
    } catch (error) {
      this.#failures++;
      this.#lastError = error;
      // The issuer does not know the cursor (any more): begin anew; what is known here stays.
      if (error instanceof UnexpectedStatus && error.status === 410) this.#cursor = undefined;
      return retryDelayMs(this.#failures);
    }
  }

  #ask(): Promise<unknown> {
    const url = new URL(this.#options.url);
    // The first answer, and the first one after a failure, is wanted at once: it says that nothing is missed.
    const waitSeconds = this.#cursor === undefined || this.#failures > 0 ? 0 : waitSecondsMax;
    if (this.#cursor !== undefined) url.searchParams.set('after', this.#cursor);
    url.searchParams.set('wait', String(waitSeconds));
    const timeoutMs = waitSeconds * 1000 + answerTimeoutMs;
    return getJson(url.href, { timeoutMs, bodyBytesMax, signal: this.#options.signal, holdsProcess: false });
  }
}
