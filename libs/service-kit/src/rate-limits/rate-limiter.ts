import { refuseInTransaction } from '@tenantry/transaction-guard';
import type { Redis } from 'ioredis';
import { siteKey } from '../addresses/address-key.ts';
import { BoundedMemory, type Count } from './bounded-memory.ts';
import { rateLimited } from './rate-limit-headers.ts';
import {
  isExceeded,
  type Quota,
  type RateLimit,
  type RateLimitWindow,
  type WindowQuota,
} from './rate-limit.ts';
import { sharedCounter } from './shared-counter.ts';

/** Counts by key and refuses one time too many. */
export interface RateLimiter {
  /**
   * Counts once and answers what is left. A key that is an IPv6 /64 counts for its /48 as well.
   *
   * @throws RATE_LIMITED (429, Retry-After, RateLimit headers)
   * @throws {NetworkInTransactionError} while a database transaction is open, with and without a Redis
   */
  consume(key: string): Promise<Quota>;
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

/** Per limit and window, in each process: some 10 MB of keys. */
const keysMax = 50_000;
/** What a whole IPv6 site (/48) may do, in times of what one of its networks (/64) may. */
const networksPerSite = 10;

/** Makes a limiter; windows are asked in turn, and one that refuses keeps the time from counting in the next. */
export function createRateLimiter({ name, windows }: RateLimit, options: CountingOptions): CountedLimiter {
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
      const quota: WindowQuota[] = [];
      const site = siteKey(key);
      const asked = site === undefined ? counters : [...counters, ...siteCounters];
      for (const [index, count] of asked.entries()) {
        const answer = count(index < counters.length ? key : (site ?? key));
        // Without Redis nothing is waited for.
        const window = answer instanceof Promise ? await answer : answer;
        quota.push(window);
        if (!isExceeded(window)) continue;
        counts.refused += 1;
        throw rateLimited(quota);
      }
      return quota;
    },
  };
}

type WindowCounter = (key: string) => Promise<WindowQuota> | WindowQuota;

/**
 * One window, counted in this process and, where there is a Redis, in it as well; whichever has seen more decides. So
 * nothing begins anew when Redis goes away or comes back empty, and nothing is unlimited in between.
 */
function windowCounter(
  name: string,
  { max, seconds }: RateLimitWindow,
  { redis, now, onFallback }: CountingOptions & { readonly onFallback: () => void },
): WindowCounter {
  const policy = `${name}-${seconds}`;
  const own = new BoundedMemory({ seconds, keysMax, now });
  const shared = redis && sharedCounter(redis, policy, seconds);

  const quotaOf = ({ used, endsInMs }: Count): WindowQuota => ({
    policy,
    max,
    seconds,
    used,
    resetSeconds: Math.max(1, Math.ceil(endsInMs / 1_000)),
  });

  return (key) => {
    const here = quotaOf(own.count(key));
    // A key that is over it already costs Redis nothing more.
    if (!shared || isExceeded(here)) return here;
    return shared(key).then(
      (count) => (count.used >= here.used ? quotaOf(count) : here),
      () => {
        onFallback();
        return here;
      },
    );
  };
}
