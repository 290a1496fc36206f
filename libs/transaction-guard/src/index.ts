import { AsyncLocalStorage } from 'node:async_hooks';

/** A database transaction, as far as it concerns what may not happen in it. */
export interface GuardedTransaction {
  readonly isOpen: boolean;
  /** Has the transaction end without effect, also where the error of what was refused is caught. */
  refuse(error: NetworkInTransactionError): void;
}

/** The network would have been waited for inside a transaction, which would have held its connection and locks meanwhile. */
export class NetworkInTransactionError extends Error {
  override readonly name = 'NetworkInTransactionError';
  readonly code = 'NETWORK_IN_TRANSACTION';

  constructor(what: string) {
    super(
      `"${what}" waits for the network, and a transaction is open here. Do it before the transaction or after it, or leave it to work that is due after the commit.`,
    );
  }
}

const transactions = new AsyncLocalStorage<GuardedTransaction>();

/** Runs the work of a transaction. What it starts, however deep, must not wait for the network while it is open. */
export function duringTransaction<Result>(transaction: GuardedTransaction, work: () => Result): Result {
  return transactions.run(transaction, work);
}

/**
 * Refuses to wait for the network where a transaction is open. Whatever asks another process, other than the database, calls
 * it first.
 *
 * @param what says what is about to be waited for: `find lead`
 * @throws {NetworkInTransactionError}
 */
export function refuseInTransaction(what: string): void {
  const transaction = transactions.getStore();
  if (transaction?.isOpen !== true) return;
  const error = new NetworkInTransactionError(what);
  transaction.refuse(error);
  throw error;
}
