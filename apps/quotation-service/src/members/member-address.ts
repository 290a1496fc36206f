import type { MembersRepository } from './members.repository.ts';

/** Where mail to a member goes. */
export interface MemberAddress {
  readonly email: string;
  /** Whether mail there is known to reach them. */
  readonly isProven: boolean;
}

/** The addresses of members. */
export type MemberAddresses = Pick<MembersRepository, 'addressOf'>;
