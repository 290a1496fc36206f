import type { Connections } from './connections.ts';
import { endOf, transactionOf, type Errand } from './errand.ts';

/** Runs the work of an errand in a transaction of its own, which ends when the work does; a throw rolls it back. */
export async function transact<Result>(
  connections: Connections,
  errand: Errand,
  work: (errand: Errand) => Promise<Result>,
  limitMs: number,
): Promise<Result> {
  const transaction = await connections.begin(errand.binding, { limitMs });
  errand.transaction = transaction;
  errand.expiresAt = performance.now() + limitMs;
  try {
    const result = await work(errand);
    // It may have expired since its last statement, or have caught the error of a refused call.
    transactionOf(errand);
    errand.transaction = 'over';
    await transaction.commit();
    return result;
  } catch (error) {
    errand.transaction = endOf(errand) ?? 'over';
    await transaction.rollback();
    throw error;
  } finally {
    transaction.giveBack();
  }
}
