import type { ApiError } from '@tenantry/envelope';
import type { Client } from '../ground/index.ts';
import type { Principal } from './session.ts';

/** A sensitive operation about to take place. */
export interface SensitiveOperation {
  /**
   * What it changes. Users with a second factor have verified it recently for each of them; besides, everybody needs:
   *
   * - `way-in`, which adds a way into the account, leads to one, or takes one away, as deleting the account takes all, or which adds
   *   one into an organization: the password, or a recent authentication on the device of the session;
   * - `sessions`, to end them, and `organization`, to delete it: the password, or a recent authentication;
   * - `others` (members, users): nothing beyond the role.
   */
  readonly concerns: 'way-in' | 'sessions' | 'organization' | 'others';
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
