/** What a {@link BoundedMemory} is made of. */
export interface BoundedMemoryOptions {
  readonly seconds: number;
  /** Maximum number of keys; beyond it the one whose window began first is forgotten. */
  readonly keysMax: number;
  /** Milliseconds of a clock that never jumps. */
  readonly now: () => number;
}

/** How often something has happened within its window, and when that ends. */
export interface Count {
  readonly used: number;
  readonly endsInMs: number;
}

/**
 * Counts in this process. A client that comes from ever new addresses can make it forget the oldest of them, which
 * costs the attacker one address each, but never fill the memory.
 */
export class BoundedMemory {
  readonly #windowMs: number;
  readonly #keysMax: number;
  readonly #now: () => number;
  /** In the order in which the windows began, which is the order in which they end. */
  readonly #windows = new Map<string, { used: number; readonly endsAt: number }>();

  constructor({ seconds, keysMax, now }: BoundedMemoryOptions) {
    this.#windowMs = seconds * 1_000;
    this.#keysMax = keysMax;
    this.#now = now;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** Counts once, and says how often that makes within the window. */
  count(key: string): Count {
    const now = this.#now();
    const open = this.#windows.get(key);
    if (open && open.endsAt > now) return { used: ++open.used, endsInMs: open.endsAt - now };
    this.#windows.delete(key);
    this.#evictOldest(now);
    this.#windows.set(key, { used: 1, endsAt: now + this.#windowMs });
    return { used: 1, endsInMs: this.#windowMs };
  }

  #evictOldest(now: number): void {
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < this.#keysMax) return;
      this.#windows.delete(oldest);
    }
  }
}
