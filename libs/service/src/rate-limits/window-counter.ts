import type { Redis } from 'ioredis';
import { BoundedMemory, type Count } from './bounded-memory.ts';
import { isExceeded, type RateLimitWindow, type WindowQuota } from './rate-limit.ts';
import { SharedCounter } from './shared-counter.ts';

/** The Redis and the clock of a limiter. */
export interface CountingOptions {
  /** Where instances count together; without it each process counts by itself. */
  readonly redis: Redis | undefined;
  readonly now: () => number;
}

/** The result of counting once in a window. */
export interface WindowTally {
  readonly quota: WindowQuota;
  /** Never rejects. */
  takeBack(): Promise<void>;
}

/** Counts a key in one window, `cost` times at once but never more than its maximum; without Redis synchronously. */
export type WindowCounter = (key: string, cost?: number) => Promise<WindowTally> | WindowTally;

/** Per limit and window, in each process: some 10 MB of keys. */
const keysMax = 50_000;

/**
 * One window, counted in this process and, if there is a Redis, also there; the higher count decides. So counts do not start
 * over when Redis goes down or comes back empty, and limits apply in between.
 *
 * @param onFallback called when Redis did not respond
 */
export function windowCounter(
  name: string,
  window: RateLimitWindow,
  { redis, now, onFallback }: CountingOptions & { readonly onFallback: () => void },
): WindowCounter {
  const { max, seconds } = window;
  const policy = `${name}-${seconds}`;
  const own = new BoundedMemory({ max, seconds, keysMax, now });
  const shared = redis && new SharedCounter(redis, policy, window);

  const quotaOf = ({ used, endsInMs }: Count): WindowQuota => {
    const resetSeconds = Math.max(1, Math.ceil(endsInMs / 1_000));
    return { policy, max, seconds, used, resetSeconds };
  };

  /** @returns in how many milliseconds the window ends in which something was counted; below zero once it has */
  function endingOf({ endsInMs }: Count): () => number {
    const endsAt = now() + endsInMs;
    return () => endsAt - now();
  }

  return (key, wanted = 1) => {
    const cost = Math.min(wanted, max);
    const here = own.count(key, cost);
    const leftMs = endingOf(here);
    const takeBack = async () => {
      if (leftMs() > 0) own.takeBack(key, cost);
    };
    const tally = { quota: quotaOf(here), takeBack };
    // A key that is used up here causes no further calls to Redis.
    if (!shared || isExceeded(tally.quota)) return tally;
    return shared.count(key, cost).then(
      (together) => {
        const quota = together.used >= here.used ? quotaOf(together) : tally.quota;
        if (isExceeded(quota)) void takeBack();
        const leftTogetherMs = endingOf(together);
        const takeBackTogether = async () => {
          await takeBack();
          const left = leftTogetherMs();
          if (left > 0) await shared.takeBack(key, left, cost).catch(() => undefined);
        };
        return { quota, takeBack: takeBackTogether };
      },
      () => {
        onFallback();
        return tally;
      },
    );
  };
}
