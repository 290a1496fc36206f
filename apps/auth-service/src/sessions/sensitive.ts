import type { ApiError } from '@tenantry/envelope';
import type { Client } from '../ground/index.ts';
import type { Principal } from './session.ts';

/** A sensitive operation about to take place. */
export interface SensitiveOperation {
  /**
   * The requirement for users without a second factor: the password, for their own account and for deleting an organization;
   * nothing beyond the role, for operations on others (members, users).
   */
  readonly concerns: 'own-account' | 'organization' | 'others';
  /** The password, if the request brings it. */
  readonly password?: string | undefined;
  readonly client: Client;
}

/** Requires a recent authentication for sensitive operations. */
export interface StepUpRequirement {
  /**
   * Returns if the operation may continue, otherwise throws.
   *
   * @throws INSUFFICIENT_USER_AUTHENTICATION (401) with the challenge of RFC 9470; INVALID_CREDENTIALS (401) for a
   * wrong password, and any other refusal of a sign-in with it.
   */
  require(principal: Principal, operation: SensitiveOperation): Promise<void>;
  /** What it throws, for the `errors` of a route. */
  readonly refusals: readonly ApiError[];
}
