import { ApiError } from '@tenantry/envelope';

/** How much hashing goes on at once. */
export interface HashingLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
}

/** Runs jobs in the order they came, some at once, the others waiting. */
export type HashingQueue = <Result>(job: () => Promise<Result>) => Promise<Result>;

/**
 * Bounds the dearest work of the service, so that a flood of sign-ins leaves the processor to everyone else.
 *
 * @throws UPSTREAM_UNAVAILABLE (503, Retry-After) from the queue when as many wait as may.
 */
export function createHashingQueue({ runningMax, waitingMax }: HashingLimits): HashingQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (job) => {
    if (running < runningMax) running += 1;
    else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw busy();

    try {
      return await job();
    } finally {
      // The next in line takes over the place, which therefore stays counted.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

function busy(): ApiError {
  return new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'Too many people are signing in right now. Try again shortly.',
    {
      headers: { 'retry-after': '5' },
    },
  );
}
