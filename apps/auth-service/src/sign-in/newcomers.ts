import type { UserTransaction } from '../database.ts';
import type { Client, Context } from '../ground/index.ts';

/** A sign-in by an address that may have no account. */
export interface Stranger {
  readonly email: string;
  readonly invitationToken: string | undefined;
}

/** On what grounds an account may be created: opaque, and kept until the address is proven. Null for open sign-up. */
export type Admission = string | null;

/** A new account for an address, which is proven by now unless stated otherwise. */
export interface ProvenNewcomer {
  readonly email: string;
  /** Undefined where none was given. */
  readonly name: string | undefined;
  readonly admission: Admission;
  readonly client: Client;
  /** Locks the proof against another use, in the transaction that creates the account. */
  readonly hold: (tx: UserTransaction) => Promise<void>;
  /** An addition to the new account in the same transaction. */
  readonly equip?: ((tx: UserTransaction) => Promise<void>) | undefined;
  /** If the address is not proven: it waits to be confirmed. */
  readonly isUnproven?: true;
}

/** Creates accounts without a password, for all methods. */
export interface Newcomers {
  /** @returns undefined if no account may be created */
  admit(stranger: Stranger): Promise<Admission | undefined>;
  /** The admission by a mailed invitation, and its address. @throws INVALID_TOKEN */
  invited(invitationToken: string): Promise<{ readonly email: string; readonly admission: Admission }>;
  /** Whether an address has an account, even a disabled one. */
  isTaken(email: string): Promise<boolean>;
  /**
   * Creates an account without a password.
   *
   * @returns its user; undefined where the address has an account by now
   * @throws SIGN_UP_CLOSED; INVALID_TOKEN for an invitation that has ended; RATE_LIMITED
   */
  open(newcomer: ProvenNewcomer): Promise<string | undefined>;
}

/** The organizations of a user after the first proof. */
export interface Reclaimed {
  /** Who else belongs to the personal organization, by name. */
  readonly others: readonly string[];
  /** The other organizations that the user belongs to, by name. */
  readonly organizations: readonly string[];
}

/**
 * Returns the organization that came with an account to its user, in a transaction of the user: other members lose their
 * rights, and the user resumes there.
 */
export type ReclaimPersonal = (tx: UserTransaction, context: Context) => Promise<Reclaimed>;

/**
 * Returns an account to its user that an organization has disabled before the address was proven, in a transaction of the user
 * that holds no lock yet: it ends the membership, and nothing where the organization has enabled the account meanwhile.
 */
export type ReturnAccount = (tx: UserTransaction, context: Context, organizationId: string) => Promise<void>;

/** What happens to the organizations of a user with the first proof of the address. */
export interface OrganizationsAtFirstProof {
  readonly reclaimPersonal: ReclaimPersonal;
  readonly returnAccount: ReturnAccount;
}
