import type { Role } from '@tenantry/jwt-verify';
import { recordAudit } from '../../audit/index.ts';
import type { Transaction } from '../../database.ts';
import type { Ground, MemberContext } from '../../ground/index.ts';
import { sessionConfined, type Principal, type Sessions } from '../../sessions/index.ts';
import { requireMayChange, requireMayGrant, requireOwnerRemains, type Standing } from './member-rules.ts';
import { memberNotFound } from './members.errors.ts';
import {
  type ListedMembership,
  type Member,
  type MembersPage,
  type MembersQuery,
  MembersRepository,
  type Place,
} from './members.repository.ts';
import type { Memberships } from './memberships.ts';

interface MembersDependencies extends Pick<Ground, 'database'> {
  readonly memberships: Memberships;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** Lists and removes members, and changes their roles. */
export class Members {
  readonly #dependencies: MembersDependencies;
  readonly #repository = new MembersRepository();

  constructor(dependencies: MembersDependencies) {
    this.#dependencies = dependencies;
  }

  list(organizationId: string, page: MembersQuery): Promise<MembersPage> {
    const { database } = this.#dependencies;
    return this.#repository.list(database.within({ organizationId }), page);
  }

  /** In a transaction in the scope of the organization. */
  find(tx: Transaction, userId: string): Promise<Member | undefined> {
    return this.#repository.find(tx, userId);
  }

  /** The organizations of a user that the session reaches, oldest first, with the role held in each. */
  listOf({ user, session }: Pick<Principal, 'user' | 'session'>): Promise<ListedMembership[]> {
    const { database } = this.#dependencies;
    return this.#repository.listOfUser(database.within({ userId: user.id }), session);
  }

  /**
   * Gives a member another role; their tokens for the organization are revoked. Whom the organization belongs to is decided in
   * sessions of one's own.
   *
   * @throws NOT_FOUND, FORBIDDEN, LAST_OWNER, SIGN_IN_REQUIRED
   */
  changeRole(
    context: MemberContext,
    { userId, role }: { readonly userId: string; readonly role: Role },
  ): Promise<Member> {
    const { memberships } = this.#dependencies;
    const changing = async (tx: Transaction, standing: Standing) => {
      requireMayChange(standing);
      requireMayGrant(standing.actorRole, role);
      const member = await this.#repository.find(tx, userId);
      if (!member) throw memberNotFound();
      if (member.role === role) return member;
      requireOwnerRemains(standing);

      await memberships.changeRole(tx, context, { member, role });
      return { ...member, role };
    };
    return this.#withStanding(context, userId, changing, { takesOwnSignIn: role === 'owner' });
  }

  /**
   * Ends a membership. One's own takes a session of one's own, as leaving does.
   *
   * @param erase deletes the whole account if allowed, in the same transaction, and returns whether it did
   * @throws NOT_FOUND, FORBIDDEN, LAST_OWNER, SIGN_IN_REQUIRED
   */
  remove(
    context: MemberContext,
    userId: string,
    erase?: (tx: Transaction, place: Place) => Promise<boolean>,
  ): Promise<void> {
    const removing = async (tx: Transaction, standing: Standing) => {
      const { targetRole: role } = standing;
      requireMayChange(standing);
      if (role === null) throw memberNotFound();
      requireOwnerRemains(standing);
      const place = { organizationId: context.organizationId, userId };
      const isErased = (await erase?.(tx, place)) ?? false;
      if (!isErased) await this.#dependencies.memberships.remove(tx, place);
      const action = isErased ? 'user.erased' : 'member.removed';
      await recordAudit(tx, context, { action, target: { type: 'user', id: userId }, details: { role } });
    };
    return this.#withStanding(context, userId, removing, { takesOwnSignIn: userId === context.actor.userId });
  }

  /**
   * Ends the caller's membership, which enables an account that the organization disabled.
   *
   * @throws UNAUTHENTICATED; LAST_OWNER
   */
  leave(context: MemberContext): Promise<void> {
    const { organizationId, actor } = context;
    const { userId } = actor;
    const leaving = async (tx: Transaction, standing: Standing) => {
      requireOwnerRemains(standing);
      await this.#dependencies.memberships.end(tx, { organizationId, userId });
      const target = { type: 'user', id: userId };
      await recordAudit(tx, context, {
        action: 'member.left',
        target,
        details: { role: standing.targetRole },
      });
    };
    return this.#withStanding(context, userId, leaving, { secondFactor: 'waived' });
  }

  /** Runs work under the organization's lock, so that roles do not change meanwhile. */
  #withStanding<Result>(
    context: MemberContext,
    targetId: string,
    work: (tx: Transaction, standing: Standing) => Promise<Result>,
    entry: { readonly secondFactor?: 'waived'; readonly takesOwnSignIn?: boolean } = {},
  ): Promise<Result> {
    const { userId: actorId } = context.actor;
    const inTransaction = async (tx: Transaction, _role: Role, isConfined: boolean) => {
      const standing = await this.#repository.standing(tx, { actorId, targetId });
      if (isConfined && standing.targetRole === 'owner') throw sessionConfined();
      return work(tx, standing);
    };
    return this.#dependencies.sessions.callers.inOrganization(context, inTransaction, {
      ...entry,
      others: [targetId],
    });
  }
}
