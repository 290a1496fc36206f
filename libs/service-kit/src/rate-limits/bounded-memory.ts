import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

/** What a {@link BoundedMemory} is made of. */
export interface BoundedMemoryOptions {
  readonly max: number;
  readonly seconds: number;
  /** Keys at most; beyond them the one whose window began first is forgotten. */
  readonly keysMax: number;
}

/**
 * Counts in this process. Whoever comes from ever new addresses can make it forget the oldest of them, which costs
 * the attacker one address each, but never fill the memory.
 */
export class BoundedMemory {
  readonly #limiter: RateLimiterMemory;
  readonly #windowMs: number;
  readonly #keysMax: number;
  /** When each key's window ends; in the order in which the windows began. */
  readonly #endings = new Map<string, number>();

  constructor({ max, seconds, keysMax }: BoundedMemoryOptions) {
    this.#limiter = new RateLimiterMemory({ points: max, duration: seconds });
    this.#windowMs = seconds * 1_000;
    this.#keysMax = keysMax;
  }

  get size(): number {
    return this.#endings.size;
  }

  /** Counts one time and says how often it has been within the window. */
  count(key: string): Promise<RateLimiterRes> {
    this.#makeRoom(key, Date.now());
    return this.#limiter.penalty(key);
  }

  #makeRoom(key: string, now: number): void {
    const endsAt = this.#endings.get(key);
    if (endsAt !== undefined && endsAt > now) return;
    this.#endings.delete(key);
    for (const [oldest, ending] of this.#endings) {
      if (ending > now && this.#endings.size < this.#keysMax) break;
      this.#endings.delete(oldest);
      void this.#limiter.delete(oldest);
    }
    this.#endings.set(key, now + this.#windowMs);
  }
}
