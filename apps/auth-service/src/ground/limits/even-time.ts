import { setTimeout as sleep } from 'node:timers/promises';

/** Answers at one of the same moments whatever there was to do. */
export type EvenTime = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Well above what a transaction takes, well below what a person notices. */
const standardStepMs = 250;

/**
 * Hides by its time what was done: the answer waits for the next multiple of the step after the request, so that an
 * address with an account and one without take equally long. ASVS 5.0, 6.3.8.
 */
export function evenTime(stepMs = standardStepMs): EvenTime {
  return async (work) => {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const elapsedMs = performance.now() - startedAt;
      await sleep(stepMs * Math.ceil(elapsedMs / stepMs) - elapsedMs);
    }
  };
}
