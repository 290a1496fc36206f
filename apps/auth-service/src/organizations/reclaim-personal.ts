import type { Role } from '@tenantry/jwt-verify';
import { recordAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import { recordMember } from '../events/index.ts';
import type { Actor, Ground } from '../ground/index.ts';
import type { ReclaimPersonal } from '../sign-in/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import type { Invitations } from './invitations/invitations.ts';
import type { Member } from './members/member.ts';
import type { MembersRepository } from './members/members.repository.ts';
import type { Memberships } from './members/memberships.ts';

/** What taking a personal organization back needs. */
export interface ReclaimPersonalDependencies extends Pick<Ground, 'now'> {
  readonly repository: Pick<MembersRepository, 'find' | 'listOthers' | 'listPersonal' | 'setRole'>;
  readonly memberships: Pick<Memberships, 'lock'>;
  readonly invitations: Pick<Invitations, 'withdrawAll'>;
}

/** A member who is given another role, on whose behalf. */
interface Demotion {
  readonly organizationId: string;
  readonly member: Member;
  readonly role: Role;
  readonly actor: Actor;
}

/**
 * Makes {@link ReclaimPersonal}: someone who created the account for an address that was not theirs may have added others
 * into its organization. They stay, since they may be honest, and have no say any more. Their invitations end.
 */
export function createReclaimPersonal(dependencies: ReclaimPersonalDependencies): ReclaimPersonal {
  const { repository, memberships, invitations, now } = dependencies;

  async function changeRole(
    tx: Transaction,
    { organizationId, member, role, actor }: Demotion,
  ): Promise<void> {
    if (member.role === role) return;
    const { userId } = member;
    const at = now();
    await repository.setRole(tx, { userId, role, at });
    await recordRevocation(tx, { kind: 'member', userId, at });
    await recordMember(tx, 'member.role-changed', userId);
    await recordAudit(tx, {
      organizationId,
      actorUserId: actor.userId,
      action: 'member.role-changed',
      target: { type: 'user', id: userId },
      client: actor.client,
      details: { from: member.role, to: role },
    });
  }

  async function reclaim(tx: Transaction, organizationId: string, actor: Actor): Promise<readonly string[]> {
    if (!(await memberships.lock(tx))) return [];
    const owner = await repository.find(tx, actor.userId);
    if (!owner) return [];
    await changeRole(tx, { organizationId, member: owner, role: 'owner', actor });
    const others = await repository.listOthers(tx, actor.userId);
    for (const member of others) await changeRole(tx, { organizationId, member, role: 'member', actor });
    await invitations.withdrawAll(tx);
    return others.map(({ name }) => name);
  }

  return async (tx, actor) => {
    const { userId } = actor;
    const names: string[] = [];
    for (const organizationId of await repository.listPersonal(tx)) {
      const others = await tx.within({ organizationId, userId }, (inner) =>
        reclaim(inner, organizationId, actor),
      );
      names.push(...others);
    }
    return names;
  };
}
