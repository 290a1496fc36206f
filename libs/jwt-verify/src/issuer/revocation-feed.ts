import { platform } from '#platform';
import { retryDelayMs } from '../platform/backoff.ts';
import { UnexpectedStatus } from '../platform/http-get.ts';
import type { IssuerClock } from './issuer-clock.ts';
import type { AroundReading } from './options.ts';
import { later } from '../platform/platform.ts';
import { readRevocationPage, type Revocation } from './revocations.ts';

/**
 * How long the issuer may hold a poll, and how much longer its response may take. A dead connection is closed after both, so
 * that no revocation is received more than 5 s late.
 */
const waitSecondsMax = 3;
const answerTimeoutMs = 1500;
const bodyBytesMax = 64 * 1024 * 1024;
/** Minimum interval between polls of a server that does not hold them. */
const pollIntervalMsMin = 100;
/** Without background work, requests wait for an update if the last one is older than this. */
const newsAgeMsMax = 3000;

/** Options of {@link RevocationFeed}. */
export interface RevocationFeedOptions {
  readonly url: string;
  /** Whether the feed is followed by long poll, or read by {@link RevocationFeed.refreshIfDue}. */
  readonly background: boolean;
  readonly around: AroundReading;
  readonly clock: IssuerClock;
  /** Stores new entries, or throws: they are then requested again. */
  readonly apply: (news: readonly Revocation[], nowSeconds: number) => void;
  readonly onFailure: (error: unknown, failures: number) => void;
  readonly signal: AbortSignal | undefined;
}

/** The issuer's feed of revocations, read until its signal ends it. It never keeps a process alive. */
export class RevocationFeed {
  /** Resolves after the issuer's first response. */
  readonly loaded: Promise<void>;
  readonly #options: RevocationFeedOptions;
  #signalLoaded!: () => void;
  #cursor: string | undefined;
  #failures = 0;
  #newsAtMs = -Infinity;
  #dueAtMs = -Infinity;
  #lastError: unknown;

  constructor(options: RevocationFeedOptions) {
    this.#options = options;
    this.loaded = new Promise((resolve) => (this.#signalLoaded = resolve));
    if (options.background) void this.#follow();
  }

  /** Milliseconds since the issuer last answered; Infinity before its first answer. */
  get staleMs(): number {
    return Math.max(0, this.#options.clock.now() - this.#newsAtMs);
  }

  /** Why the last poll failed, if it did. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Polls if the revocations are out of date; undefined if there is nothing to wait for. */
  refreshIfDue(): Promise<void> | undefined {
    const now = this.#options.clock.now();
    if (now < this.#dueAtMs && now >= this.#newsAtMs) return undefined;
    // One request polls, and the others continue with the known revocations, unless none have been read yet.
    if (this.#newsAtMs !== -Infinity) this.#dueAtMs = now + newsAgeMsMax;
    return this.#poll(0);
  }

  async #follow(): Promise<void> {
    const { signal } = this.#options;
    while (signal?.aborted !== true) {
      const startedAtMs = performance.now();
      // The first poll, and the first one after a failure, is not held by the issuer: its response says that nothing is
      // missing.
      await this.#poll(this.#cursor === undefined || this.#failures > 0 ? 0 : waitSecondsMax);
      const pauseMs =
        this.#failures > 0
          ? retryDelayMs(this.#failures)
          : Math.max(0, pollIntervalMsMin - (performance.now() - startedAtMs));
      await new Promise<void>((resolve) => void later(pauseMs, resolve));
    }
  }

  /** Asks once; never rejects. */
  async #poll(waitSeconds: number): Promise<void> {
    const { clock, apply, onFailure } = this.#options;
    try {
      const page = readRevocationPage(await this.#ask(waitSeconds));
      if (page.nowMs !== undefined) clock.hear(page.nowMs);
      // By the issuer's own time, so that a clock that is briefly ahead does not drop revocations.
      apply(page.entries, (page.nowMs ?? clock.now()) / 1000);
      this.#cursor = page.cursor;
      this.#newsAtMs = clock.now();
      this.#dueAtMs = this.#newsAtMs + newsAgeMsMax;
      this.#failures = 0;
      this.#lastError = undefined;
      this.#signalLoaded();
    } catch (error) {
      this.#failures++;
      this.#lastError = error;
      this.#dueAtMs = clock.now() + retryDelayMs(this.#failures);
      // The issuer does not know the cursor (any more): start over; known revocations stay.
      if (error instanceof UnexpectedStatus && error.status === 410) this.#cursor = undefined;
      onFailure(error, this.#failures);
    }
  }

  #ask(waitSeconds: number): Promise<unknown> {
    const { background, around, signal } = this.#options;
    const url = new URL(this.#options.url);
    if (this.#cursor !== undefined) url.searchParams.set('after', this.#cursor);
    url.searchParams.set('wait', String(waitSeconds));
    const options = {
      timeoutMs: waitSeconds * 1000 + answerTimeoutMs,
      bodyBytesMax,
      // To verifiers that do not know the kind `organization`, issuers list each of its members instead.
      headers: { 'revocation-kinds': 'organization' },
      signal,
      // A poll in the background must not keep the process alive; a request that waits for one may.
      holdsProcess: !background,
      freshConnection: this.#failures > 0,
    };
    return around('revocations', () => platform.getJson(url.href, options));
  }
}
