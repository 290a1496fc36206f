import type { Rows, Transaction } from '../../database.ts';

/** How a user may sign in: by what kind of proof. */
export type SignInMethod = 'password' | 'mailed' | 'passkey' | 'identity';

/** A passkey, as its user sees it in the list. */
export interface ListedPasskey {
  readonly id: string;
  readonly name: string;
  /** ISO 8601 text, as `lastUsedAt` is. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** Whether it is kept in more than one place. */
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

/** Ways of one kind that a user adds and removes: a method offers them to the list, and to whatever takes an account back. */
export interface AddedWays<Listed> {
  /** Those of the scope's user, oldest first. */
  list(rows: Rows): Promise<Listed[]>;
  /** Forgets those of the transaction's user. */
  forgetAll(tx: Transaction): Promise<void>;
}
