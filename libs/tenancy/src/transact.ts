import { endOf, transactionOf, type Errand } from './errand.ts';
import { TenancyError } from './errors.ts';
import type { TenantPool } from './pool.ts';
import type { Binding } from './scope.ts';

/**
 * Runs `work` in a transaction of its own, which ends when the work does; a throw rolls it back.
 *
 * @throws {TenancyError} TRANSACTION_NESTED, TRANSACTION_EXPIRED, TRANSACTION_FAILED
 */
export function transact<Result>(
  pool: TenantPool,
  binding: Binding,
  work: (errand: Errand) => Promise<Result>,
  limitMs: number,
): Promise<Result> {
  if (pool.isInTransaction) {
    throw new TenancyError(
      'TRANSACTION_NESTED',
      'A transaction is already open here. Use the one you were given, and its within() for another scope.',
    );
  }
  const errand: Errand = { binding, transaction: 'beginning' };
  return pool.resume(errand, async () => {
    const transaction = await pool.begin(binding, { limitMs });
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
  });
}
