import type { Transaction } from '../database.ts';
import type { Client, Context } from '../ground/index.ts';

/** Somebody who signs in by an address that may have no account. */
export interface Stranger {
  readonly email: string;
  readonly invitationToken: string | undefined;
}

/** How an account may begin: kept until the address is proven, and read by nobody else. Null for anyone. */
export type Admission = string | null;

/** An account that begins at an address, which is proven by now unless it says otherwise. */
export interface ProvenNewcomer {
  readonly email: string;
  /** Undefined where none was given. */
  readonly name: string | undefined;
  readonly admission: Admission;
  readonly client: Client;
  /** Keeps what proves it from being used up meanwhile, in the transaction that creates the account. */
  readonly hold: (tx: Transaction) => Promise<void>;
  /** What the account gets besides, in the same transaction. */
  readonly equip?: ((tx: Transaction) => Promise<void>) | undefined;
  /** Where nothing has shown the address to be theirs: it waits to be confirmed. */
  readonly isUnproven?: true;
}

/** How accounts begin without a password, of whichever method. */
export interface Newcomers {
  /** @returns undefined where no account may begin */
  admit(stranger: Stranger): Promise<Admission | undefined>;
  /** What a mailed invitation admits, and to which address. @throws INVALID_TOKEN */
  invited(invitationToken: string): Promise<{ readonly email: string; readonly admission: Admission }>;
  /** Whether an address has an account, be it disabled. */
  isTaken(email: string): Promise<boolean>;
  /**
   * Creates an account without a password.
   *
   * @returns its user; undefined where the address has an account by now
   * @throws SIGN_UP_CLOSED; INVALID_TOKEN for an invitation that has ended; RATE_LIMITED
   */
  open(newcomer: ProvenNewcomer): Promise<string | undefined>;
}

/** What became of the organizations of a user. */
export interface Reclaimed {
  /** Who else belongs to the personal organization, by name. */
  readonly others: readonly string[];
  /** The other organizations that the user belongs to, by name. */
  readonly organizations: readonly string[];
}

/**
 * Gives the organization that came with an account back to its user, in a transaction of the user: nobody else keeps a
 * say in it, and the user resumes there.
 */
export type ReclaimPersonal = (tx: Transaction, context: Context) => Promise<Reclaimed>;

/** What the wings above do for a mailbox that somebody has proven. */
export interface MailboxOwners {
  readonly newcomers: Newcomers;
  readonly reclaimPersonal: ReclaimPersonal;
}
