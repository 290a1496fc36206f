import type { ApiError } from '@tenantry/envelope';
import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import type { UserTransaction } from '../database.ts';
import type { Client } from '../ground/index.ts';
import type { ConfinedStart } from '../sessions/index.ts';

/** A sign-in at a provider, by which an account at the provider is to be linked or used. */
export interface SignInFlow {
  readonly id: string;
  /** What has proven it: its ticket, or the letter that it waited for. */
  readonly from: 'ticket' | 'letter';
  /** The error if it has been used up meanwhile. */
  readonly refusal: ApiError;
}

/**
 * The result of a sign-in method: the user, how and at which level they authenticated, and a check that this still holds when
 * the session starts. Only the method knows how it works.
 */
export interface Proof {
  readonly userId: string;
  /** How, as in the claim `amr` of the session's tokens: RFC 8176. */
  readonly amr: readonly string[];
  /** How surely: NIST SP 800-63B-4, 2. A user who has a second factor must show it after a proof of `aal1`. */
  readonly acr: AuthenticationLevel;
  /** When, if not just now: a provider may vouch for an older sign-in. */
  readonly authenticatedAt?: Date | undefined;
  /** Of a sign-in by an organization's connection: the session reaches that organization alone. */
  readonly confinement?: ConfinedStart | undefined;
  /** Used in the transaction that starts the session, and kept for it while a second factor is awaited. */
  readonly flow?: SignInFlow | undefined;
  /**
   * Checks, in the transaction of what the proof allows, that it still holds: the password may have been reset
   * meanwhile. Of a confined session the organization is locked, and nothing else.
   *
   * @throws INVALID_CREDENTIALS
   */
  requireValid(tx: UserTransaction): Promise<void>;
}

/** A sign-in method. */
export interface Method<Claim extends { readonly client: Client }> {
  /** Returns the user whom a claim proves, or refuses without saying why. */
  prove(claim: Claim): Promise<Proof>;
}
