import type { Role } from '@tenantry/jwt-verify';
import type { Transaction } from '../../database.ts';
import { recordEvent } from '../../events/events.ts';
import type { Organizations } from '../organizations.ts';
import { recordRevocation } from '../../tokens/revocations/revocations.ts';
import { organizationNotFound, sessionEnded } from '../../sessions/sessions.errors.ts';
import type { SessionUser } from '../../sessions/session.ts';
import { roles } from './member-rules.ts';
import { alreadyMember } from './members.errors.ts';
import type { MembersRepository, Place } from './members.repository.ts';

/** What memberships need. */
export interface MembershipsDependencies {
  readonly repository: MembersRepository;
  readonly organizations: Pick<Organizations, 'personalFoundation' | 'found'>;
  /** Whether whoever is left without an organization gets one. */
  readonly personalOrganizations: boolean;
  readonly now: () => Date;
}

/**
 * The beginning and the end of memberships, for every use case that causes one. The caller's transaction runs in
 * the scope of the organization and holds it.
 */
export interface Memberships {
  /**
   * Makes every other change of the organization's members wait, and says which role somebody holds there now.
   *
   * @throws NOT_FOUND when the organization is gone, or the user no member of it.
   */
  hold(tx: Transaction, userId: string): Promise<Role>;
  /** As {@link Memberships.hold}, for who is no member yet: whether the organization is there. */
  lock(tx: Transaction): Promise<boolean>;
  /** @throws ALREADY_MEMBER; UNAUTHENTICATED when the user was erased meanwhile. */
  begin(tx: Transaction, member: Place & { readonly role: Role }): Promise<void>;
  /**
   * Ends a membership, and the tokens that came with it. Sessions go on in another organization of the user;
   * whoever has none left gets a personal one.
   */
  end(tx: Transaction, member: Place): Promise<void>;
  /**
   * Ends memberships of an organization that is about to be deleted, owners last: as many as one transaction can
   * take in its time. True when none are left.
   */
  endSome(tx: Transaction, organizationId: string): Promise<boolean>;
}

/** An end takes some twenty statements, when a personal organization comes of it. */
const batchSize = 50;
/** An organization that is about to be deleted is its owners' until the end. */
const lesserRoles = roles.filter((role) => role !== 'owner');

/** Makes the use cases of memberships. */
export function createMemberships(dependencies: MembershipsDependencies): Memberships {
  const { repository, organizations, personalOrganizations, now } = dependencies;

  async function foundPersonal(tx: Transaction, owner: SessionUser): Promise<string | null> {
    if (!personalOrganizations) return null;
    const foundation = organizations.personalFoundation(owner);
    const { id } = foundation.organization;
    await tx.within({ organizationId: id, userId: owner.id }, (inner) =>
      organizations.found(inner, foundation),
    );
    return id;
  }

  async function depart(tx: Transaction, { organizationId, userId }: Place): Promise<void> {
    const user = await repository.lockUser(tx);
    if (!user) return;
    await repository.remove(tx, userId);
    await recordRevocation(tx, { kind: 'member', userId, organizationId, at: now() });
    const next = (await repository.firstMembership(tx)) ?? (await foundPersonal(tx, user));
    await repository.moveSessions(tx, { from: organizationId, to: next });
  }

  const end = (tx: Transaction, member: Place) =>
    tx.within(member, async (inner) => {
      await depart(inner, member);
      await recordEvent(inner, { type: 'member.removed', ...member });
    });

  return {
    async hold(tx, userId) {
      if (!(await repository.lockOrganization(tx))) throw organizationNotFound();
      const { actorRole } = await repository.standing(tx, { actorId: userId, targetId: userId });
      if (actorRole === null) throw organizationNotFound();
      return actorRole;
    },

    lock: (tx) => repository.lockOrganization(tx),

    begin: (tx, { organizationId, userId, role }) =>
      tx.within({ organizationId, userId }, async (inner) => {
        const user = await repository.lockUser(inner);
        if (!user) throw sessionEnded();
        const at = now();
        if (!(await repository.insert(inner, { userId, role, at }))) throw alreadyMember();
        const { email, name } = user;
        const state = { organizationId, userId, email, name, role, createdAt: at };
        await recordEvent(inner, { type: 'member.added', ...state });
      }),

    end,

    async endSome(tx, organizationId) {
      const everybody = await repository.listIds(tx, { roles, limit: batchSize });
      const isLast = everybody.length < batchSize;
      const batch = isLast
        ? everybody
        : await repository.listIds(tx, { roles: lesserRoles, limit: batchSize });
      for (const userId of batch) await end(tx, { organizationId, userId });
      return isLast;
    },
  };
}
