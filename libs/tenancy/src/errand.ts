import { TenancyError } from './errors.ts';
import type { OpenTransaction } from './open-transaction.ts';
import type { Binding } from './scope.ts';

/** The scope of running work, and its transaction. */
export interface Errand {
  readonly binding: Binding;
  /** Present in a transaction, which is `beginning` until it has a connection. */
  transaction?: OpenTransaction | 'beginning' | TransactionEnd;
  /** Until when the transaction takes queries, by the clock of `performance.now()`. */
  expiresAt?: number;
  /** A refused call in the transaction, which is therefore rolled back. */
  refused?: Error;
  /** The errand of another scope whose transaction this one shares. */
  readonly outer?: Errand;
  /** Whether a call of a Prisma model runs, whose queries are those of the errand. */
  readonly isModelCall?: boolean;
}

/** Why a transaction accepts no more queries: its work is done, or took too long. */
export type TransactionEnd = 'over' | 'expired';

/** Whether the transaction of an errand has ended, for the errand or as a whole. */
export function endOf({ transaction, expiresAt = Infinity, outer }: Errand): TransactionEnd | undefined {
  const outerEnd = outer && endOf(outer);
  if (outerEnd) return outerEnd;
  if (typeof transaction === 'object') return performance.now() > expiresAt ? 'expired' : undefined;
  return transaction === 'expired' ? 'expired' : 'over';
}

/**
 * The transaction that an errand runs in.
 *
 * @throws {TenancyError} TRANSACTION_EXPIRED, TRANSACTION_OVER.
 * @throws {NetworkInTransactionError} again, where it was caught.
 */
export function transactionOf(errand: Errand): OpenTransaction {
  throwRefused(errand);
  const end = endOf(errand);
  if (end === undefined && typeof errand.transaction === 'object') return errand.transaction;
  throw end === 'expired'
    ? new TenancyError('TRANSACTION_EXPIRED', 'The transaction took too long; nothing more can run in it.')
    : new TenancyError('TRANSACTION_OVER', 'The transaction has ended; nothing more can run in it.');
}

/** Throws the error of a refused call in a transaction again, even if the work has caught it. */
export function throwRefused({ refused, outer }: Errand): void {
  if (refused) throw refused;
  if (outer) throwRefused(outer);
}
