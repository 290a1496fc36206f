import { AsyncLocalStorage } from 'node:async_hooks';

/** The part of a database transaction that the guard uses. */
export interface GuardedTransaction {
  readonly isOpen: boolean;
  /** Makes the transaction roll back, even if the error of the refusal is caught. */
  refuse(error: NetworkInTransactionError): void;
}

/** A network call was attempted inside a transaction, which would have held its connection and locks meanwhile. */
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

/** Runs the work of a transaction. While it is open, nothing in its call tree may wait for the network. */
export function duringTransaction<Result>(transaction: GuardedTransaction, work: () => Result): Result {
  return transactions.run(transaction, work);
}

/**
 * Refuses network calls while a transaction is open. Code that calls another process, other than the database, calls this
 * first.
 *
 * @param what names the call: `find lead`
 * @throws {NetworkInTransactionError}
 */
export function refuseInTransaction(what: string): void {
  const transaction = transactions.getStore();
  if (transaction?.isOpen !== true) return;
  const error = new NetworkInTransactionError(what);
  transaction.refuse(error);
  throw error;
}
