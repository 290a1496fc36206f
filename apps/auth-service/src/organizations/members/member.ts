import type { Role } from '@tenantry/jwt-verify';

/** A user's membership in an organization. */
export interface Member {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** The account is disabled. */
  readonly disabled: boolean;
  /** Can sign in with two factors. */
  readonly twoFactor: boolean;
  /** When the user became a member, as ISO 8601 text. */
  readonly createdAt: string;
}
