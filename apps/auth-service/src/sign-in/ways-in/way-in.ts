import type { Rows, Transaction } from '../../database.ts';

/** The kinds of sign-in methods. */
export type SignInMethod = 'password' | 'mailed' | 'passkey' | 'identity';

/** A passkey, as its user sees it in the list. */
export interface ListedPasskey {
  readonly id: string;
  readonly name: string;
  /** ISO 8601 text, as `lastUsedAt` is. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** Whether it is backed up. */
  readonly backedUp: boolean;
}

/** An account at a provider that signs a user in, as that user sees it in the list. */
export interface ListedIdentity {
  readonly id: string;
  readonly provider: string;
  /** As the provider said it; display text. */
  readonly email: string | null;
  /** ISO 8601 text, as `lastUsedAt` is. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** Sign-in methods of one kind that users add and remove: for the list, and for clearing a reclaimed account. */
export interface AddedWays<Listed> {
  /** Those of the scope's user, oldest first. */
  list(rows: Rows): Promise<Listed[]>;
  /** Forgets those of the transaction's user. */
  forgetAll(tx: Transaction): Promise<void>;
}
