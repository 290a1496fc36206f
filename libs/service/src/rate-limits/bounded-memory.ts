/** Options of {@link BoundedMemory}. */
export interface BoundedMemoryOptions {
  /** The maximum within the window; refused events are not counted. */
  readonly max: number;
  readonly seconds: number;
  /** Maximum number of keys; beyond it the one whose window began first is forgotten. */
  readonly keysMax: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** How often something has happened within its window, and when that ends. */
export interface Count {
  /** This event included: one more than the maximum if it is refused. */
  readonly used: number;
  readonly endsInMs: number;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/**
 * Counts in this process. A client with ever new addresses can evict the oldest entries, at the cost of one address each, but
 * never exhaust the memory.
 */
export class BoundedMemory {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #keysMax: number;
  readonly #now: () => number;
  /** In the order in which the windows began, which is the order in which they end. */
  readonly #windows = new Map<string, Window>();

  constructor({ max, seconds, keysMax, now }: BoundedMemoryOptions) {
    this.#max = max;
    this.#windowMs = seconds * 1_000;
    this.#keysMax = keysMax;
    this.#now = now;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Counts `cost` times at once, and says how often that makes within the window. */
  count(key: string, cost = 1): Count {
    const now = this.#now();
    const window = this.#openWindow(key, now);
    const endsInMs = window.endsAt - now;
    if (window.used + cost > this.#max) return { used: this.#max + 1, endsInMs };
    window.used += cost;
    return { used: window.used, endsInMs };
  }

  /** Undoes a count of the current window. */
  takeBack(key: string, cost = 1): void {
    const window = this.#windows.get(key);
    if (!window) return;
    window.used -= cost;
    if (window.used <= 0) this.#windows.delete(key);
  }

  #openWindow(key: string, now: number): Window {
    const open = this.#windows.get(key);
    if (open && open.endsAt > now) return open;
    this.#windows.delete(key);
    this.#evictOldest(now);
    const window = { used: 0, endsAt: now + this.#windowMs };
    this.#windows.set(key, window);
    return window;
  }

  #evictOldest(now: number): void {
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.#keysMax) return;
      this.#windows.delete(oldest);
    }
  }
}
