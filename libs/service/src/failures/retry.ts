import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../calls/backoff.ts';
import { databaseFault } from './database-faults.ts';

/** Options of {@link retryOnContention}. */
export interface RetryOptions {
  /** The first try included. */
  readonly attemptsMax?: number;
  /** Waits that many milliseconds. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** From 0 to 1: keeps transactions that met once from meeting again. */
  readonly random?: () => number;
}

const firstMs = 30;
const maxMs = 1_000;

/**
 * Runs a transaction, and retries it after a conflict with others: a deadlock or a serialization failure has rolled it back.
 * Everything in `work` is repeated, so it should contain only the transaction.
 *
 * An error that leaves open whether the transaction took effect, such as a lost connection, is never retried.
 *
 * @example await retryOnContention(() => tenant.transaction((tx) => moveStock(tx, order)));
 */
export async function retryOnContention<Result>(
  transaction: () => Promise<Result>,
  { attemptsMax = 4, pause = sleep, random = Math.random }: RetryOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (attempt >= attemptsMax || databaseFault(error) !== 'contention') throw error;
      await pause(backoffMs(attempt, { firstMs, maxMs, random }));
    }
  }
}
