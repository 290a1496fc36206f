import { errandsInTransaction } from './running.ts';

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

/**
 * Refuses network calls while a transaction is open, on whatever pool. Code that calls another process, other than the database,
 * calls this first. The transaction rolls back, even if the error is caught.
 *
 * @param what names the call: `find lead`
 * @throws {NetworkInTransactionError}
 */
export function refuseInTransaction(what: string): void {
  const errands = errandsInTransaction();
  if (errands.length === 0) return;
  const error = new NetworkInTransactionError(what);
  for (const errand of errands) errand.refused ??= error;
  throw error;
}
