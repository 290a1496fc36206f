import type { ApiError } from '@tenantry/envelope';
import type { Client } from '../ground/index.ts';
import type { Principal } from './session.ts';

/** A sensitive operation about to take place. */
export interface SensitiveOperation {
  /**
   * What a user without a second factor is asked: the password for their own account and for the end of an organization,
   * nothing beyond the role for what concerns others (members, users).
   */
  readonly concerns: 'own-account' | 'organization' | 'others';
  /** The password, if the request brings it. */
  readonly password?: string | undefined;
  readonly client: Client;
}

/** How recently users must have shown who they are, before a sensitive operation. */
export interface StepUpRequirement {
  /**
   * Lets an operation continue, or throws.
   *
   * @throws INSUFFICIENT_USER_AUTHENTICATION (401) with the challenge of RFC 9470; INVALID_CREDENTIALS (401) for a
   * wrong password, and any other refusal of a sign-in with it.
   */
  require(principal: Principal, operation: SensitiveOperation): Promise<void>;
  /** What it throws, for the `errors` of a route. */
  readonly refusals: readonly ApiError[];
}
