import { AsyncLocalStorage } from 'node:async_hooks';
import { inTrace } from '@tenantry/tracing';
import { beginning, type Range } from './cursor.ts';
import type { Entry, Extract } from './feed.repository.ts';

interface Batch {
  readonly from: string;
  readonly to: string;
  readonly entries: readonly Entry[];
}

/** Reads the entries of a range, `limit` at most; undefined when its places are not of this database's history. */
export type ReadFeed = (range: Range, limit: number) => Promise<Extract | undefined>;

interface TailOptions {
  readonly read: ReadFeed;
  /** Called when a poll fails. */
  readonly onFailure: (error: unknown) => void;
}

const pollIntervalMs = 500;
const batchesMax = 256;
/** Readers wait no longer than that, so older entries are not needed. */
const idleMs = 60_000;
const entriesMax = 100_000;

/**
 * The end of a feed, cached in this instance: read once for all waiting readers, on notifications of PostgreSQL and otherwise
 * every half second.
 */
export class Tail {
  readonly #readFeed: ReadFeed;
  readonly #onFailure: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  /** A shared read belongs to no single reader: neither to the trace nor to the share of the request that started it. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #batches: Batch[] = [];
  #head: string | undefined;
  #freshAtMs = -Infinity;
  #polledAtMs = -Infinity;
  #polling: Promise<void> | undefined;
  #pollAgain = false;
  /** Entries were written that no poll has read yet. */
  #woken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ read, onFailure }: TailOptions) {
    this.#readFeed = read;
    this.#onFailure = onFailure;
  }

  /** The place up to which the feed is known; undefined before the first poll. */
  get head(): string | undefined {
    return this.#head;
  }

  /** Milliseconds since the database was last asked with success. */
  get staleMs(): number {
    return performance.now() - this.#freshAtMs;
  }

  /** The entries after a place; undefined if the place is unknown here. */
  since(place: string): readonly Entry[] | undefined {
    if (place === this.#head) return [];
    const first = this.#batches.findIndex(({ from }) => from === place);
    return first < 0 ? undefined : this.#batches.slice(first).flatMap(({ entries }) => entries);
  }

  /** Asks the database unless it was asked within a poll's time. Rejects when it is down. */
  async refresh({ anyway }: { readonly anyway: boolean }): Promise<void> {
    if (!anyway && !this.#woken && this.staleMs <= pollIntervalMs) return;
    await (this.#polling ?? this.#poll());
    // A failed poll is not reported to the readers.
    if (this.staleMs > 2 * pollIntervalMs) await this.#outside(() => this.#read());
  }

  /** Calls back for new entries, and keeps polling until then; returns a function to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#outside(() => this.#schedule());
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) clearTimeout(this.#timer);
    };
  }

  /** Entries were written: wakes the waiting readers. */
  wake(): void {
    this.#woken = true;
    if (this.#listeners.size > 0) void this.#poll();
  }

  /** The next poll comes half a second after the last one, whatever caused that one. */
  #schedule(): void {
    clearTimeout(this.#timer);
    const dueMs = Math.max(0, this.#polledAtMs + pollIntervalMs - performance.now());
    this.#timer = setTimeout(() => void this.#poll(), dueMs).unref();
  }

  /** Polls once. Callers that ask during a poll share the next one. */
  #poll(): Promise<void> {
    if (this.#polling) {
      this.#pollAgain = true;
      return this.#polling;
    }
    this.#pollAgain = false;
    this.#polling = this.#outside(() =>
      this.#read()
        .catch(this.#onFailure)
        .finally(() => {
          this.#polling = undefined;
          if (this.#pollAgain) void this.#poll();
          else if (this.#listeners.size > 0) this.#schedule();
        }),
    );
    return this.#polling;
  }

  /** Reads after a notification are traced; the regular polls are not. */
  #read(): Promise<void> {
    const isWoken = this.#woken;
    this.#woken = false;
    return isWoken ? inTrace('read news', () => this.#look()) : this.#look();
  }

  async #look(): Promise<void> {
    this.#polledAtMs = performance.now();
    if (this.#head === undefined || this.staleMs > idleMs) return this.#begin();
    const from = this.#head;
    const extract = await this.#readFeed({ seen: from }, entriesMax);
    if (from !== this.#head) return;
    // Too many to keep: waiting readers read for themselves.
    if (extract === undefined || extract.behind) return this.#begin();
    this.#freshAtMs = performance.now();
    if (extract.entries.length === 0) return;
    this.#head = extract.place;
    this.#batches.push({ from, to: extract.place, entries: extract.entries });
    if (this.#batches.length > batchesMax) this.#batches.shift();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Starts from where the database is now. */
  async #begin(): Promise<void> {
    const extract = await this.#readFeed({ seen: beginning }, 0);
    this.#batches = [];
    this.#head = extract?.place;
    this.#freshAtMs = performance.now();
    for (const listener of [...this.#listeners]) listener();
  }
}
