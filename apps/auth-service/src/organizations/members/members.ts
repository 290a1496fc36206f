import type { Role } from '@tenantry/jwt-verify';
import { recordAudit } from '../../audit/index.ts';
import type { Transaction } from '../../database.ts';
import type { Actor, Ground } from '../../ground/index.ts';
import type { Principal } from '../../sessions/index.ts';
import { requireMayChange, requireMayGrant, requireOwnerRemains, type Standing } from './member-rules.ts';
import type { Member } from './member.ts';
import { memberNotFound } from './members.errors.ts';
import type {
  ListedMembership,
  MembersPage,
  MembersQuery,
  MembersRepository,
  Place,
} from './members.repository.ts';
import type { Memberships } from './memberships.ts';

/** What the use cases of members need. */
export interface MembersDependencies extends Pick<Ground, 'database'> {
  readonly repository: Pick<MembersRepository, 'standing' | 'find' | 'list' | 'listOfUser'>;
  readonly memberships: Memberships;
}

/** How a member is removed. */
export interface RemoveOptions {
  /** Ends more than the membership, in the same transaction. @returns whether it did */
  readonly instead?: (tx: Transaction, place: Place) => Promise<boolean>;
}

/** The members of an organization, their roles, and their departure. */
export interface Members {
  list(organizationId: string, query: MembersQuery): Promise<MembersPage>;
  /** In a transaction in the scope of the organization. */
  find(tx: Transaction, userId: string): Promise<Member | undefined>;
  /** The organizations of a user, oldest first, with the role held in each. */
  listOf(principal: Pick<Principal, 'user' | 'session'>): Promise<ListedMembership[]>;
  /** Gives a member another role; their tokens for the organization are revoked. */
  changeRole(actor: Actor, change: Place & { readonly role: Role }): Promise<Member>;
  /** @throws NOT_FOUND, FORBIDDEN, LAST_OWNER */
  remove(actor: Actor, place: Place, options?: RemoveOptions): Promise<void>;
  /** Ends one's own membership. */
  leave(actor: Actor, organizationId: string): Promise<void>;
}

export function createMembers({ database, repository, memberships }: MembersDependencies): Members {
  /** Runs work under the organization's lock: the roles that it sees hold until the end. */
  function withStanding<Result>(
    { userId: actorId }: Actor,
    { organizationId, userId: targetId }: Place,
    work: (tx: Transaction, standing: Standing) => Promise<Result>,
  ): Promise<Result> {
    return database.within({ organizationId, userId: actorId }).transaction(async (tx) => {
      await memberships.lockAs(tx, actorId);
      return work(tx, await repository.standing(tx, { actorId, targetId }));
    });
  }

  return {
    list: (organizationId, page) => repository.list(database.within({ organizationId }), page),
    find: (tx, userId) => repository.find(tx, userId),
    listOf: ({ user, session }) => repository.listOfUser(database.within({ userId: user.id }), session.acr),

    changeRole: (actor, { role, ...place }) =>
      withStanding(actor, place, async (tx, standing) => {
        requireMayChange(standing);
        requireMayGrant(standing.actorRole, role);
        const member = await repository.find(tx, place.userId);
        if (!member) throw memberNotFound();
        if (member.role === role) return member;
        requireOwnerRemains(standing);

        await memberships.changeRole(tx, { member, role, actor });
        return { ...member, role };
      }),

    remove: (actor, place, { instead } = {}) =>
      withStanding(actor, place, async (tx, standing) => {
        requireMayChange(standing);
        if (standing.targetRole === null) throw memberNotFound();
        requireOwnerRemains(standing);
        if (!(await instead?.(tx, place))) await memberships.end(tx, place);
        await recordDeparture(tx, { actor, place, action: 'member.removed', role: standing.targetRole });
      }),

    leave: (actor, organizationId) => {
      const place = { organizationId, userId: actor.userId };
      return withStanding(actor, place, async (tx, standing) => {
        requireOwnerRemains(standing);
        await memberships.end(tx, place);
        await recordDeparture(tx, { actor, place, action: 'member.left', role: standing.targetRole });
      });
    },
  };
}

interface Departure {
  readonly actor: Actor;
  readonly place: Place;
  readonly action: 'member.removed' | 'member.left';
  readonly role: Role | null;
}

async function recordDeparture(tx: Transaction, { actor, place, action, role }: Departure): Promise<void> {
  await recordAudit(tx, {
    actorUserId: actor.userId,
    action,
    target: { type: 'user', id: place.userId },
    client: actor.client,
    details: { role },
  });
}
