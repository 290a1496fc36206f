import { retryDelayMs } from '../platform/backoff.ts';
import { TokenError } from '../tokens/errors.ts';
import { importKeySet, keepsAll, type KeySet, type VerificationKey } from './key-set.ts';
import { later } from '../platform/platform.ts';

/** Unknown key ids, which anyone can invent, cause at most one read in this interval. */
const unknownKeyReadIntervalMs = 30_000;
/** When another request may read, since the one that is reading may have been abandoned. */
const readingMsMax = 10_000;

/** Options of {@link KeySource}. */
export interface KeySourceOptions {
  /** Gives the JWK set as published now. */
  readonly load: (holdsProcess: boolean) => Promise<unknown>;
  /** How often the set is read again; Infinity for a literal one. */
  readonly refreshMs: number;
  /** How long keys stay in use without being read again; Infinity for a literal set. */
  readonly maxAgeMs: number;
  /** Whether the keys are kept fresh off the path of requests, or by {@link KeySource.refreshIfDue}. */
  readonly background: boolean;
  readonly clock: () => number;
  /** A trusted key has been withdrawn. */
  readonly onRemoval: () => void;
  readonly onFailure: (error: unknown, failures: number) => void;
}

/** The keys of one issuer, read again and again; those that are too old are not used. */
export class KeySource {
  /** Resolves when keys have been read for the first time. */
  readonly loaded: Promise<void>;
  readonly #options: KeySourceOptions;
  #signalLoaded!: () => void;
  #keys: KeySet | undefined;
  #readAtMs = -Infinity;
  #usableUntilMs = -Infinity;
  #dueAtMs = -Infinity;
  #unknownKeyReadAtMs = -Infinity;
  #reading: Promise<void> | undefined;
  #failures = 0;
  #lastError: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: KeySourceOptions) {
    this.#options = options;
    this.loaded = new Promise((resolve) => (this.#signalLoaded = resolve));
    if (options.background) void this.#read(true);
  }

  /** Why the last reading failed. */
  get lastError(): unknown {
    return this.#lastError;
  }

  /** Milliseconds since the keys were last read: 0 for a literal set, Infinity before the first reading. */
  get staleMs(): number {
    if (this.#keys !== undefined && this.#options.refreshMs === Infinity) return 0;
    return Math.max(0, this.#options.clock() - this.#readAtMs);
  }

  /** When the keys become too old to be used, in milliseconds since the epoch. */
  get usableUntilMs(): number {
    return this.#usableUntilMs;
  }

  /** Whether there are keys that are not too old. */
  get areUsable(): boolean {
    return this.#options.clock() < this.#usableUntilMs;
  }

  /** The key of this name among those at hand, if they are not too old. */
  find(kid: string): VerificationKey | undefined {
    return this.areUsable ? this.#keys?.get(kid) : undefined;
  }

  /** Reads the key of a name that is not at hand, if it may, or throws a {@link TokenError}. */
  async fetch(kid: string): Promise<VerificationKey> {
    await this.#reading;
    if (this.find(kid) === undefined && this.#mayReadForUnknown()) await this.#read(true);
    const key = this.find(kid);
    if (key !== undefined) return key;
    // While the issuer cannot be reached, the key may well exist.
    throw this.#failures > 0
      ? new TokenError('KEYS_UNAVAILABLE', { cause: this.#lastError })
      : new TokenError('TOKEN_KEY_UNKNOWN');
  }

  /** Reads the keys if they are due; undefined where there is nothing to wait for. */
  refreshIfDue(): Promise<void> | undefined {
    const now = this.#options.clock();
    if (now < this.#dueAtMs && now >= this.#readAtMs) return undefined;
    // One request reads, and the others continue with the known keys.
    if (now < this.#usableUntilMs) this.#dueAtMs = now + readingMsMax;
    return this.#read(true);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** When the keys are due anyway; and early, but not while they cannot be read at all. */
  #mayReadForUnknown(): boolean {
    const { clock, refreshMs } = this.#options;
    const now = clock();
    const mayReadEarly = refreshMs !== Infinity && this.#failures === 0;
    const isLongAgo = now - this.#unknownKeyReadAtMs >= unknownKeyReadIntervalMs;
    if (now < this.#dueAtMs && !(mayReadEarly && isLongAgo)) return false;
    this.#unknownKeyReadAtMs = now;
    return true;
  }

  /** Reads the set once, however many ask meanwhile; never rejects. */
  #read(holdsProcess: boolean): Promise<void> {
    // Without background work a read belongs to the request that makes it, and ends with it: it cannot be shared.
    if (!this.#options.background) return this.#load(holdsProcess);
    this.#reading ??= this.#load(holdsProcess).finally(() => {
      this.#reading = undefined;
      this.#schedule();
    });
    return this.#reading;
  }

  async #load(holdsProcess: boolean): Promise<void> {
    const { load, clock, refreshMs, maxAgeMs, onRemoval, onFailure } = this.#options;
    try {
      const keys = await importKeySet(await load(holdsProcess));
      const before = this.#keys;
      this.#keys = keys;
      this.#readAtMs = clock();
      this.#usableUntilMs = this.#readAtMs + maxAgeMs;
      this.#dueAtMs = this.#readAtMs + refreshMs;
      this.#failures = 0;
      this.#signalLoaded();
      if (before !== undefined && !keepsAll(before, keys)) onRemoval();
    } catch (error) {
      // The keys at hand stay in service until they are too old: an issuer that is down has not withdrawn them.
      this.#failures++;
      this.#lastError = error;
      this.#dueAtMs = clock() + retryDelayMs(this.#failures);
      onFailure(error, this.#failures);
    }
  }

  #schedule(): void {
    const delayMs = this.#failures > 0 ? retryDelayMs(this.#failures) : this.#options.refreshMs;
    if (this.#closed || delayMs === Infinity) return;
    clearTimeout(this.#timer);
    this.#timer = later(delayMs, () => void this.#read(false));
  }
}
