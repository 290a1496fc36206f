import type { Rows, Transaction } from '../../database.ts';

/** The kinds of sign-in methods. */
export type SignInMethod = 'password' | 'mailed' | 'passkey' | 'identity';

/** Sign-in methods of one kind that users add and remove: for the list, and for clearing a reclaimed account. */
export interface AddedWays<Listed> {
  /** Those of the scope's user, oldest first. */
  list(rows: Rows): Promise<Listed[]>;
  /** Deletes those of the transaction's user, except what the device with the mark `but` has added. @returns how many */
  forget(tx: Transaction, but: string | null): Promise<number>;
}
