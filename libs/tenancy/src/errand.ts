import type { PoolClient } from 'pg';
import type { Binding, Scope } from './scope.ts';

/** The scope of what runs now. */
export interface Errand {
  readonly scope: Scope;
  readonly binding: Binding;
  /** Present in a transaction: the connection, once it has begun. */
  transaction?: PoolClient | 'beginning' | TransactionEnd;
  /** Until when the transaction takes queries, by the clock of `performance.now()`. */
  expiresAt?: number;
  /** The errand whose transaction this one shares, in another scope. */
  readonly outer?: Errand;
}

/** Why a transaction takes no more queries: its work is done, or took too long. */
export type TransactionEnd = 'over' | 'expired';

/**
 * Whether the transaction of an errand has ended, for the errand or as a whole. Its connection may serve another one then.
 */
export function endOf({ transaction, expiresAt = Infinity, outer }: Errand): TransactionEnd | undefined {
  const outerEnd = outer && endOf(outer);
  if (outerEnd) return outerEnd;
  if (typeof transaction === 'object') return performance.now() > expiresAt ? 'expired' : undefined;
  return transaction === 'expired' ? 'expired' : 'over';
}
