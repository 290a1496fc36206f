import type { Transaction } from '../database.ts';
import type { Actor } from '../ground/index.ts';
import type { ReclaimPersonal } from '../sign-in/index.ts';
import type { Invitations } from './invitations/invitations.ts';
import type { MembersRepository } from './members/members.repository.ts';
import type { Memberships } from './members/memberships.ts';

/** What taking a personal organization back needs. */
export interface ReclaimPersonalDependencies {
  readonly repository: Pick<MembersRepository, 'find' | 'listOthers' | 'listPersonal'>;
  readonly memberships: Pick<Memberships, 'lock' | 'changeRole'>;
  readonly invitations: Pick<Invitations, 'withdrawAll'>;
}

/**
 * Makes {@link ReclaimPersonal}: someone who created the account for an address that was not theirs may have added others
 * into its organization. They stay, since they may be honest, and have no say any more. Their invitations end.
 */
export function createReclaimPersonal(dependencies: ReclaimPersonalDependencies): ReclaimPersonal {
  const { repository, memberships, invitations } = dependencies;

  async function reclaim(tx: Transaction, actor: Actor): Promise<readonly string[]> {
    if (!(await memberships.lock(tx))) return [];
    const owner = await repository.find(tx, actor.userId);
    if (!owner) return [];
    const others = await repository.listOthers(tx, actor.userId);
    const changes = [
      { member: owner, role: 'owner' as const },
      ...others.map((member) => ({ member, role: 'member' as const })),
    ];
    for (const change of changes) {
      if (change.member.role !== change.role) await memberships.changeRole(tx, { ...change, actor });
    }
    await invitations.withdrawAll(tx);
    return others.map(({ name }) => name);
  }

  return async (tx, actor) => {
    const { userId } = actor;
    const names: string[] = [];
    for (const organizationId of await repository.listPersonal(tx)) {
      const others = await tx.within({ organizationId, userId }, (inner) => reclaim(inner, actor));
      names.push(...others);
    }
    return names;
  };
}
