import type { Transaction } from '../../database.ts';
import type { User } from '../../ground/index.ts';
import { MembersRepository } from './members.repository.ts';

const repository = new MembersRepository();

/** The owners of the scope's organization who can be mailed: not disabled, and with a confirmed address. */
export function reachableOwners(tx: Transaction): Promise<readonly Pick<User, 'email' | 'name'>[]> {
  return repository.reachableOwners(tx);
}
