import type { Rows } from '../database.ts';

/** The e-mail address of a member. */
export interface MemberAddress {
  readonly email: string;
  /** Whether the address is confirmed. */
  readonly isProven: boolean;
}

/** The addresses of members. */
export interface MemberAddresses {
  /** The address of a member, or of the first owner if the member has left or none is named. */
  addressOf(rows: Rows, userId: string | null): Promise<MemberAddress | undefined>;
}
