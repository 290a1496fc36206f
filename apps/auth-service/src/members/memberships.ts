import type { Role } from '@tenantry/jwt-verify';
import type { Transaction } from '../database.ts';
import { recordEvent } from '../events/events.ts';
import type { Organizations } from '../organizations/organizations.ts';
import { recordRevocation } from '../revocations/revocations.ts';
import { organizationNotFound, sessionEnded } from '../sessions/sessions.errors.ts';
import type { SessionUser } from '../sessions/session.ts';
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
  /** Ends every membership, for an organization that is about to be deleted: its end is an event of its own. */
  endAll(tx: Transaction, organizationId: string): Promise<void>;
  /** Ends every member's tokens: the next ones are minted by the rules of now. */
  endTokens(tx: Transaction, organizationId: string): Promise<void>;
}

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

    end: (tx, member) =>
      tx.within(member, async (inner) => {
        await depart(inner, member);
        await recordEvent(inner, { type: 'member.removed', ...member });
      }),

    async endAll(tx, organizationId) {
      for (const userId of await repository.listIds(tx)) {
        await tx.within({ organizationId, userId }, (inner) => depart(inner, { organizationId, userId }));
      }
    },

    async endTokens(tx, organizationId) {
      const at = now();
      for (const userId of await repository.listIds(tx)) {
        await recordRevocation(tx, { kind: 'member', userId, organizationId, at });
      }
    },
  };
}
