import { refuseInTransaction } from '@tenantry/transaction-guard';
import type { Redis } from 'ioredis';
import { siteKey } from '../addresses/address-key.ts';
import { Counted } from './counted.ts';
import { rateLimited } from './rate-limit-headers.ts';
import { isExceeded, type RateLimit } from './rate-limit.ts';
import { windowCounter, type WindowTally } from './window-counter.ts';

/** Counts by key and refuses one time too many. */
export interface RateLimiter {
  /**
   * Counts once, unless it refuses. A key that is an IPv6 /64 counts for its /48 as well.
   *
   * @throws RATE_LIMITED (429, Retry-After, RateLimit headers)
   * @throws {NetworkInTransactionError} while a database transaction is open, with and without a Redis
   */
  consume(key: string): Promise<Counted>;
}

/** What a limiter has come to, since the process began. */
export interface LimiterCounts {
  readonly refused: number;
  /** How often a window was counted in this process alone because Redis gave no answer. */
  readonly withoutRedis: number;
}

/** A limiter that can be measured. */
export interface CountedLimiter extends RateLimiter {
  readonly counts: LimiterCounts;
}

/** Where and by which clock a limiter counts. */
export interface CountingOptions {
  /** Where instances count together; without it each process counts by itself. */
  readonly redis: Redis | undefined;
  readonly now: () => number;
}

/** What a whole IPv6 site (/48) may do, in times of what one of its networks (/64) may. */
const networksPerSite = 10;

/** Makes a limiter; windows are asked in turn, and one that refuses keeps the time from counting in the next. */
export function createRateLimiter(limit: RateLimit, options: CountingOptions): CountedLimiter {
  const { name, windows } = limit;
  const counts = { refused: 0, withoutRedis: 0 };
  const counting = { ...options, onFallback: () => (counts.withoutRedis += 1) };
  const counters = windows.map((window) => windowCounter(name, window, counting));
  const siteCounters = windows.map(({ max, seconds }) =>
    windowCounter(`${name}-site`, { max: max * networksPerSite, seconds }, counting),
  );
  return {
    counts,
    async consume(key) {
      refuseInTransaction(`count ${name}`);
      const tallies: WindowTally[] = [];
      const takeBack = () => {
        refuseInTransaction(`take back ${name}`);
        return Promise.all(tallies.map((tally) => tally.takeBack()));
      };
      const site = siteKey(key);
      const asked = site === undefined ? counters : [...counters, ...siteCounters];
      for (const [index, count] of asked.entries()) {
        const answer = count(index < counters.length ? key : (site ?? key));
        // Without Redis nothing is waited for.
        const tally = answer instanceof Promise ? await answer : answer;
        if (isExceeded(tally.quota)) {
          counts.refused += 1;
          await takeBack();
          throw rateLimited(limit, [...tallies.map(({ quota }) => quota), tally.quota]);
        }
        tallies.push(tally);
      }
      return new Counted(
        tallies.map(({ quota }) => quota),
        takeBack,
      );
    },
  };
}
