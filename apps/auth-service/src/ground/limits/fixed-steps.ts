import { setTimeout as sleep } from 'node:timers/promises';

/** Responds at a multiple of the same step, whatever the work. */
export type InFixedSteps = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Well above the duration of a transaction, well below what a person notices. */
const standardStepMs = 250;

/**
 * Makes {@link InFixedSteps}: the answer waits for the next multiple of the step after the request, so that an address
 * with an account and one without take equally long. ASVS 5.0, 6.3.8.
 */
export function fixedSteps(stepMs = standardStepMs): InFixedSteps {
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
