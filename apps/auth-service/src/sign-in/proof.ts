import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import type { Transaction } from '../database.ts';
import type { Client } from '../ground/index.ts';

/**
 * What a method of signing in gives: who it is, how and how surely that was shown, and whether it still holds when the
 * session starts. Nothing beyond a method knows how it works.
 */
export interface Proof {
  readonly userId: string;
  /** How, as the claim `amr` of the session's tokens says it: RFC 8176. */
  readonly amr: readonly string[];
  /** How surely: NIST SP 800-63B-4, 2. A user who has a second factor must show it after a proof of `aal1`. */
  readonly acr: AuthenticationLevel;
  /** When, where that was not just now: somebody else may vouch for a sign-in of long ago. */
  readonly authenticatedAt?: Date | undefined;
  /**
   * Checks, in the transaction of what the proof allows, that it still holds: the password may have been reset
   * meanwhile.
   *
   * @throws INVALID_CREDENTIALS
   */
  requireValid(tx: Transaction): Promise<void>;
}

/** A method of signing in. */
export interface Method<Claim extends { readonly client: Client }> {
  /** Says whom a claim proves, or refuses without saying why. */
  prove(claim: Claim): Promise<Proof>;
}
