import type { KeyObject } from 'node:crypto';
import { retryDelayMs } from './backoff.ts';
import { TokenError } from './errors.ts';
import { getJson } from './http-get.ts';
import { importKeySet, keepsAll, type KeySet } from './key-set.ts';

/** An unknown key id, which anyone can invent, causes at most one fetch in this time. */
const unknownKeyFetchIntervalMs = 30_000;
const fetchTimeoutMs = 5000;
const bodyBytesMax = 256 * 1024;

/** What a {@link KeySource} is made of. */
export interface KeySourceOptions {
  /** Gives the JWK set as published now. */
  readonly load: (holdsProcess: boolean) => Promise<unknown>;
  /** How often the set is read again; undefined: never, it is a literal. */
  readonly refreshIntervalMs?: number | undefined;
  readonly clock: () => number;
  /** A key that was trusted is not trusted any more. */
  readonly onRemoval: () => void;
}

/** The issuer's keys, read at creation and kept fresh in the background, off the path of requests. */
export class KeySource {
  /** Resolves when keys have been read for the first time. */
  readonly loaded: Promise<void>;
  readonly #options: KeySourceOptions;
  #signalLoaded!: () => void;
  #keys: KeySet | undefined;
  #fetch: Promise<void> | undefined;
  #unknownKeyFetchedAtMs = -Infinity;
  #failures = 0;
  #lastError: unknown;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: KeySourceOptions) {
    this.#options = options;
    this.loaded = new Promise((resolve) => (this.#signalLoaded = resolve));
    void this.#refresh(true);
  }

  /** Why the last reading failed. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** The key of this name among those at hand. */
  find(kid: string): KeyObject | undefined {
    return this.#keys?.get(kid)?.key;
  }

  /** Fetches the key of a name that is not at hand, if it may, or throws a {@link TokenError}. */
  async fetch(kid: string): Promise<KeyObject> {
    await this.#fetch;
    if (this.#keys !== undefined && this.find(kid) === undefined) await this.#fetchUnknown();
    const key = this.find(kid);
    if (key !== undefined) return key;
    // While the issuer cannot be asked, the key may well exist.
    throw this.#failures > 0
      ? new TokenError('KEYS_UNAVAILABLE', this.#lastError)
      : new TokenError('TOKEN_KEY_UNKNOWN');
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  async #fetchUnknown(): Promise<void> {
    const now = this.#options.clock();
    const { refreshIntervalMs } = this.#options;
    if (refreshIntervalMs !== undefined && now - this.#unknownKeyFetchedAtMs >= unknownKeyFetchIntervalMs) {
      this.#unknownKeyFetchedAtMs = now;
      void this.#refresh(true);
    }
    await this.#fetch;
  }

  /** Reads the set once, whoever asks meanwhile; never rejects. */
  #refresh(holdsProcess: boolean): Promise<void> {
    this.#fetch ??= this.#load(holdsProcess).finally(() => {
      this.#fetch = undefined;
      this.#schedule();
    });
    return this.#fetch;
  }

  async #load(holdsProcess: boolean): Promise<void> {
    try {
      const keys = await importKeySet(await this.#options.load(holdsProcess));
      const before = this.#keys;
      this.#keys = keys;
      this.#failures = 0;
      this.#signalLoaded();
      if (before !== undefined && !keepsAll(before, keys)) this.#options.onRemoval();
    } catch (error) {
      // The keys at hand stay in service: an issuer that is away has not withdrawn them.
      this.#failures++;
      this.#lastError = error;
    }
  }

  #schedule(): void {
    const { refreshIntervalMs } = this.#options;
    if (this.#closed || refreshIntervalMs === undefined) return;
    clearTimeout(this.#timer);
    const delayMs = this.#failures > 0 ? retryDelayMs(this.#failures) : refreshIntervalMs;
    this.#timer = setTimeout(() => void this.#refresh(false), delayMs).unref();
  }
}

/** Reads the JWK set at this address, and at no other, until `signal` ends it. */
export function keysAt(url: string, signal: AbortSignal): KeySourceOptions['load'] {
  return (holdsProcess) => getJson(url, { timeoutMs: fetchTimeoutMs, bodyBytesMax, signal, holdsProcess });
}
