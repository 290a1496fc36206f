/** About three seconds. */
const failuresOfAnOutage = 5;
/** Services start together: until the first success, failures are no outage for this long. */
const startMs = 30_000;

/** Decides when failures in a row are worth a warning: once in an outage, and not while services come up. */
export class Outage {
  readonly #clock: () => number;
  readonly #startedAtMs: number;
  #hasSucceeded = false;
  #isAnnounced = false;
  #failures = 0;

  /** @param clock gives milliseconds that only ever grow */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#startedAtMs = clock();
  }

  get failures(): number {
    return this.#failures;
  }

  /** Counts a failure. @returns whether to warn of it */
  failed(): boolean {
    this.#failures += 1;
    const isStart = !this.#hasSucceeded && this.#clock() - this.#startedAtMs < startMs;
    if (this.#isAnnounced || isStart || this.#failures < failuresOfAnOutage) return false;
    this.#isAnnounced = true;
    return true;
  }

  /** Ends the outage. @returns whether there was a warning of it */
  succeeded(): boolean {
    const wasAnnounced = this.#isAnnounced;
    this.#hasSucceeded = true;
    this.#isAnnounced = false;
    this.#failures = 0;
    return wasAnnounced;
  }
}
