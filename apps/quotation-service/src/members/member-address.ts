import type { Rows } from '../database.ts';

/** Where mail to a member goes. */
export interface MemberAddress {
  readonly email: string;
  /** Whether mail there is known to reach them. */
  readonly isProven: boolean;
}

/** The addresses of members. */
export interface MemberAddresses {
  /** That of a member; of the first owner where they are none any more, or nobody is named. */
  addressOf(rows: Rows, userId: string | null): Promise<MemberAddress | undefined>;
}
