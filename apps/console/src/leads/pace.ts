/** Limits the requests per second; the others wait. */
export class Pace {
  readonly #perSecond: number;
  readonly #now: () => number;
  #begun: readonly number[] = [];

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#now = now;
  }

  /** How long the next request waits, in milliseconds; it counts as begun then. */
  next(): number {
    const now = this.#now();
    const recent = this.#begun.filter((at) => at > now - 1_000);
    const earliest = recent.length < this.#perSecond ? now : (recent.at(-this.#perSecond) ?? now) + 1_000;
    const at = Math.max(now, earliest);
    this.#begun = [...recent, at];
    return at - now;
  }

  /** Waits for a turn. @throws the reason of the signal */
  async turn(signal: AbortSignal): Promise<void> {
    const waitMs = this.next();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    signal.throwIfAborted();
  }
}
