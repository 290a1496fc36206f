import type { Tenant } from '../database.ts';

/** The e-mail address of a member. */
export interface MemberAddress {
  readonly email: string;
  /** Whether the address is confirmed. */
  readonly isProven: boolean;
}

/** The addresses of members, as auth-service has them. */
export interface MemberAddresses {
  /** The address of a member, or of the first owner if the member has left or none is named. */
  addressOf(tenant: Tenant, userId: string | null): Promise<MemberAddress | undefined>;
}
