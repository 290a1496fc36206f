import type { Redis } from 'ioredis';
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { BoundedMemory } from './bounded-memory.ts';
import { rateLimited } from './rate-limit-headers.ts';
import {
  isExceeded,
  type Quota,
  type RateLimit,
  type RateLimitWindow,
  type WindowQuota,
} from './rate-limit.ts';

/** Counts by key and refuses one time too many. */
export interface RateLimiter {
  /**
   * Counts one time and answers what is left.
   *
   * @throws RATE_LIMITED (429, Retry-After, RateLimit headers)
   */
  consume(key: string): Promise<Quota>;
}

/** Per limit and window, in each process: some 15 MB of keys. */
const keysMax = 50_000;

/** Makes a limiter; windows are asked in turn, and one that refuses keeps the time from counting in the next. */
export function createRateLimiter({ name, windows }: RateLimit, redis: Redis | undefined): RateLimiter {
  const counters = windows.map((window) => windowCounter(name, window, redis));
  return {
    async consume(key) {
      const quota: WindowQuota[] = [];
      for (const count of counters) {
        const window = await count(key);
        quota.push(window);
        if (isExceeded(window)) throw rateLimited(quota);
      }
      return quota;
    },
  };
}

/**
 * One window, counted in this process and, where there is a Redis, in it as well; whichever has seen more decides. So
 * nothing begins anew when Redis goes away or comes back empty, and nothing is unlimited in between.
 */
function windowCounter(name: string, { max, seconds }: RateLimitWindow, redis: Redis | undefined) {
  const policy = `${name}-${seconds}`;
  const own = new BoundedMemory({ max, seconds, keysMax });
  const shared =
    redis &&
    new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `tenantry:rate:${policy}`,
      points: max,
      duration: seconds,
      rejectIfRedisNotReady: true,
    });

  const quotaOf = ({ consumedPoints: used, msBeforeNext }: RateLimiterRes): WindowQuota => ({
    policy,
    max,
    seconds,
    used,
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  });

  return async (key: string): Promise<WindowQuota> => {
    const here = quotaOf(await own.count(key));
    // Whoever is over it already costs Redis nothing more.
    if (!shared || isExceeded(here)) return here;
    const everywhere = await shared.penalty(key).then(quotaOf, () => here);
    return everywhere.used >= here.used ? everywhere : here;
  };
}
