/** A limit, all of whose windows apply. */
export interface RateLimit {
  /** What is limited, as `sign-in`; part of the key in Redis, so it is unique within the system. */
  readonly name: string;
  /** What is counted, in the words of the refusal: `organizations created` makes "Too many organizations created." */
  readonly counted: string;
  /** At least one; a route that is limited counts in the first. */
  readonly windows: readonly RateLimitWindow[];
}

/** A maximum within so many seconds of the first event. */
export interface RateLimitWindow {
  readonly max: number;
  readonly seconds: number;
}

/** The remaining quota of a window. */
export interface WindowQuota {
  /** Names the window to clients, as `sign-in-60`. */
  readonly policy: string;
  readonly max: number;
  readonly seconds: number;
  /** The count within the window, this event included: one more than `max` if it is refused. */
  readonly used: number;
  /** Seconds until the window starts over. */
  readonly resetSeconds: number;
}

/** What is left of a limit: a quota per window, in the order of the windows. */
export type Quota = readonly WindowQuota[];

/**
 * Proof that limits have counted something. Only they create it, so a function that requires one cannot be called uncounted.
 */
export class Counted {
  /** What is left. */
  readonly quota: Quota;
  readonly #takeBack: () => Promise<unknown>;

  constructor(quota: Quota, takeBack: () => Promise<unknown>) {
    this.quota = quota;
    this.#takeBack = takeBack;
  }

  /** Undoes the count. Call it at most once, outside of transactions. */
  async giveBack(): Promise<void> {
    await this.#takeBack();
  }
}

/** The window that decides: one that is used up, else the one with the least left. */
export function tightest(quota: Quota): WindowQuota | undefined {
  const left = ({ max, used }: WindowQuota) => Math.max(0, max - used);
  const exceeded = quota.filter(isExceeded);
  if (exceeded.length > 0) return exceeded.toSorted((a, b) => b.resetSeconds - a.resetSeconds)[0];
  return quota.toSorted((a, b) => left(a) - left(b))[0];
}

/** Whether a window has been used more often than it may be. */
export function isExceeded({ max, used }: WindowQuota): boolean {
  return used > max;
}
