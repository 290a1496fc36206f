import type { Role } from '@tenantry/jwt-verify';
import { recordAudit } from '../../audit/index.ts';
import type { Transaction } from '../../database.ts';
import { recordEvent, recordMember, recordUserUpdated } from '../../events/index.ts';
import { organizationNotFound, type Context, type Ground, type User } from '../../ground/index.ts';
import { sessionEnded, type Sessions } from '../../sessions/index.ts';
import { recordRevocation } from '../../tokens/index.ts';
import type { Organizations } from '../organizations.ts';
import type { Member } from './member.ts';
import { alreadyMember } from './members.errors.ts';
import type { MembersRepository, Place } from './members.repository.ts';

/** What memberships need. */
export interface MembershipsDependencies extends Pick<Ground, 'config' | 'now'> {
  readonly repository: MembersRepository;
  readonly organizations: Pick<Organizations, 'planPersonal' | 'insert'>;
  readonly sessions: Pick<Sessions, 'moveOn'>;
}

/**
 * The beginning, the change and the end of memberships, for every use case that causes one. The caller's transaction runs in
 * the scope of the organization and has locked it.
 */
export interface Memberships {
  /** Makes every other change of the organization's members wait. @returns whether the organization exists */
  lock(tx: Transaction): Promise<boolean>;
  /**
   * As {@link Memberships.lock}, on behalf of a member.
   *
   * @returns the role that the user holds there now
   * @throws NOT_FOUND when the organization is gone, or the user is not a member of it.
   */
  lockAs(tx: Transaction, userId: string): Promise<Role>;
  /** @throws ALREADY_MEMBER; UNAUTHENTICATED when the user was erased meanwhile. */
  begin(tx: Transaction, member: Place & { readonly role: Role }): Promise<void>;
  /** Gives a member another role, which refuses the tokens that tell of the one before. */
  changeRole(
    tx: Transaction,
    context: Context,
    change: { readonly member: Member; readonly role: Role },
  ): Promise<void>;
  /**
   * Ends a membership, and the tokens that came with it. Sessions continue in another organization of the user, who
   * gets a personal one if none is left; an account that the organization disabled is its user's again.
   */
  end(tx: Transaction, member: Place): Promise<void>;
  /** Has the sessions of somebody whose organization was deleted go on elsewhere, as after {@link Memberships.end}. */
  settle(tx: Transaction, member: Place): Promise<void>;
  /** In the scope of a user: creates a personal organization. @returns its id; null where users get none */
  beginPersonal(tx: Transaction): Promise<string | null>;
  /** In the scope of a user: the user's organizations, in the order in which they are locked. */
  organizationIds(tx: Transaction): Promise<string[]>;
  /** In the scope of a user: whether the user belongs to another organization as well. */
  belongsToOthers(tx: Transaction, organizationId: string): Promise<boolean>;
}

/** Nobody asks for a personal organization in place of one that was left or deleted. */
const byJob = { actor: { kind: 'job', name: 'personal-organizations' }, client: null } as const;

export function createMemberships(dependencies: MembershipsDependencies): Memberships {
  const { config, repository, organizations, sessions, now } = dependencies;

  async function createPersonal(tx: Transaction, owner: User): Promise<string | null> {
    if (!config.PERSONAL_ORGANIZATIONS) return null;
    const planned = organizations.planPersonal(owner);
    const { id } = planned.organization;
    await tx.within({ organizationId: id, userId: owner.id }, (inner) =>
      organizations.insert(inner, byJob, planned),
    );
    return id;
  }

  async function moveOn(tx: Transaction, left: Place, user: User): Promise<void> {
    const isGivenBack = await repository.giveBack(tx, left, now());
    const next = (await repository.firstMembership(tx)) ?? (await createPersonal(tx, user));
    await sessions.moveOn(tx, { from: left.organizationId, to: next });
    if (isGivenBack) await recordUserUpdated(tx);
  }

  async function depart(tx: Transaction, member: Place): Promise<void> {
    const { userId } = member;
    const user = await repository.lockUser(tx);
    if (!user) return;
    await repository.remove(tx, userId);
    await recordRevocation(tx, { kind: 'member', userId, at: now() });
    await moveOn(tx, member, user);
  }

  const end = (tx: Transaction, member: Place) =>
    tx.within(member, async (inner) => {
      await depart(inner, member);
      await recordEvent(inner, { type: 'member.removed', ...member });
    });

  return {
    lock: (tx) => repository.lockOrganization(tx),

    async lockAs(tx, userId) {
      if (!(await repository.lockOrganization(tx))) throw organizationNotFound();
      const { actorRole } = await repository.standing(tx, { actorId: userId, targetId: userId });
      if (actorRole === null) throw organizationNotFound();
      return actorRole;
    },

    begin: (tx, { organizationId, userId, role }) =>
      tx.within({ organizationId, userId }, async (inner) => {
        const user = await repository.lockUser(inner);
        if (!user) throw sessionEnded();
        const at = now();
        if (!(await repository.insert(inner, { userId, role, at }))) throw alreadyMember();
        await recordMember(inner, 'member.added', userId);
      }),

    async changeRole(tx, context, { member: { userId, role: from }, role }) {
      const at = now();
      await repository.setRole(tx, { userId, role, at });
      await recordRevocation(tx, { kind: 'member', userId, at });
      await recordMember(tx, 'member.role-changed', userId);
      const target = { type: 'user', id: userId };
      await recordAudit(tx, context, { action: 'member.role-changed', target, details: { from, to: role } });
    },

    end,

    settle: (tx, member) =>
      tx.within(member, async (inner) => {
        const user = await repository.lockUser(inner);
        if (user) await moveOn(inner, member, user);
      }),

    async beginPersonal(tx) {
      const user = await repository.lockUser(tx);
      return user ? createPersonal(tx, user) : null;
    },

    organizationIds: (tx) => repository.organizationIds(tx),
    belongsToOthers: (tx, organizationId) => repository.belongsToOthers(tx, organizationId),
  };
}
