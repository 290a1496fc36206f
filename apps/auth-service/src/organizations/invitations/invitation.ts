import type { Role } from '@tenantry/jwt-verify';

/** An offer of membership to an e-mail address. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  /** Who sent it; null once the account is gone. */
  readonly invitedBy: { readonly userId: string; readonly name: string } | null;
  /** ISO 8601 text, as `expiresAt` is. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** How an invitation ended. */
export type InvitationEnding = 'accepted' | 'rejected' | 'withdrawn' | 'replaced' | 'expired';

/** Seven days. */
export const invitationLifetimeMs = 7 * 24 * 60 * 60 * 1_000;
