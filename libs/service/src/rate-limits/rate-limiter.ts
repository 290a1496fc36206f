import type { ApiError } from '@tenantry/envelope';
import { refuseInTransaction } from '@tenantry/tenancy/network';
import { siteKey } from '../addresses/address-key.ts';
import { Counted, isExceeded, type RateLimit, type RateLimitWindow } from './rate-limit.ts';
import { rateLimited } from './rate-limit-headers.ts';
import type { RouteLimiter, Usage } from './rate-limit.plugin.ts';
import {
  windowCounter,
  type CountingOptions,
  type WindowCounter,
  type WindowTally,
} from './window-counter.ts';

/** Counts of a limiter since the process began. */
export interface LimiterCounts {
  readonly refused: number;
  /** How often a window was counted only in this process because Redis did not respond. */
  readonly withoutRedis: number;
}

/** The limit of a whole IPv6 site (/48), as a multiple of that of one of its networks (/64). */
const networksPerSite = 10;

/** The part of a limiter that counts. */
export type RateLimiter = Pick<CountedLimiter, 'consume'>;

/**
 * Counts by key and refuses beyond the limit; it can be measured, and can limit a route. Windows are counted in turn; after one
 * that refuses, the next ones do not count.
 */
export class CountedLimiter implements RouteLimiter {
  readonly window: RateLimitWindow;
  readonly counts = { refused: 0, withoutRedis: 0 };
  readonly #limit: RateLimit;
  readonly #counters: readonly WindowCounter[];
  readonly #siteCounters: readonly WindowCounter[];

  constructor(limit: RateLimit, options: CountingOptions) {
    const { name, windows } = limit;
    const [window] = windows;
    if (!window) throw new Error(`the limit ${name} has no window`);
    this.window = window;
    this.#limit = limit;
    const counting = { ...options, onFallback: () => (this.counts.withoutRedis += 1) };
    this.#counters = windows.map((each) => windowCounter(name, each, counting));
    this.#siteCounters = windows.map(({ max, seconds }) =>
      windowCounter(`${name}-site`, { max: max * networksPerSite, seconds }, counting),
    );
  }

  /**
   * Counts once, or `cost` times at once, unless it refuses. A cost above the maximum of a window uses all of it. A key that is an IPv6 /64 counts for its /48 as well.
   *
   * @throws RATE_LIMITED (429, Retry-After, RateLimit headers)
   * @throws {NetworkInTransactionError} while a database transaction is open, with and without a Redis
   */
  async consume(key: string, cost = 1): Promise<Counted> {
    const { quota, exceeded, takeBack } = await this.#tally(key, cost);
    if (exceeded) throw rateLimited(this.#limit, quota);
    return new Counted(quota, takeBack);
  }

  async count(key: string): Promise<Usage> {
    const { quota, exceeded, takeBack } = await this.#tally(key, 1);
    const [own] = quota;
    if (!own || (exceeded && exceeded !== own)) throw rateLimited(this.#limit, quota);
    return { used: own.used, resetSeconds: own.resetSeconds, takeBack };
  }

  refusal(_key: string, resetSeconds: number): ApiError {
    const { max, seconds } = this.window;
    const policy = `${this.#limit.name}-${seconds}`;
    return rateLimited(this.#limit, [{ policy, max, seconds, used: max + 1, resetSeconds }]);
  }

  /** Counts window by window. `exceeded` is the window that refuses it; nothing is counted then. */
  async #tally(key: string, cost: number) {
    const { name } = this.#limit;
    refuseInTransaction(`count ${name}`);
    const tallies: WindowTally[] = [];
    const takeBack = () => {
      refuseInTransaction(`take back ${name}`);
      return Promise.all(tallies.map((one) => one.takeBack()));
    };
    const site = siteKey(key);
    const counters = this.#counters;
    const asked = site === undefined ? counters : [...counters, ...this.#siteCounters];
    for (const [index, count] of asked.entries()) {
      const answer = count(index < counters.length ? key : (site ?? key), cost);
      // Without Redis this is synchronous.
      const one = answer instanceof Promise ? await answer : answer;
      if (isExceeded(one.quota)) {
        this.counts.refused += 1;
        await takeBack();
        const quota = [...tallies.map((earlier) => earlier.quota), one.quota];
        return { quota, exceeded: one.quota, takeBack: async () => undefined };
      }
      tallies.push(one);
    }
    return { quota: tallies.map(({ quota }) => quota), exceeded: undefined, takeBack };
  }
}
