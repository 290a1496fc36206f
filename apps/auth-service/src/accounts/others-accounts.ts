import type { Role } from '@tenantry/jwt-verify';
import { recordAudit } from '../audit/index.ts';
import { withoutSession, type Transaction, type UserTransaction } from '../database.ts';
import { byOperator, type Ground, type MemberContext } from '../ground/index.ts';
import {
  forbidden,
  memberNotFound,
  requirePermission,
  type Member,
  type OrganizationsWing,
} from '../organizations/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { accountUnknown } from './accounts.errors.ts';
import { DisablingRepository, type Standing } from './disabling.repository.ts';

interface OthersAccountsDependencies extends Pick<Ground, 'database'> {
  readonly organizations: Pick<OrganizationsWing, 'memberships' | 'members'>;
  readonly sessions: Pick<Sessions, 'callers'>;
}

/** A change of another user's account. */
interface OthersAccountChange {
  readonly action: 'user.disabled' | 'user.enabled' | 'two-factor.reset';
  /** In a transaction of the account's user, whom it has locked. @returns whether anything changed */
  readonly change: (tx: UserTransaction, standing: Standing) => Promise<boolean>;
}

/** Changes that an owner makes to the account of a member, or the operator to any. The trails name the actor. */
export class OthersAccounts {
  readonly #database: Ground['database'];
  readonly #organizations: OthersAccountsDependencies['organizations'];
  readonly #callers: Sessions['callers'];
  readonly #repository = new DisablingRepository();

  constructor({ database, organizations, sessions }: OthersAccountsDependencies) {
    this.#database = database;
    this.#organizations = organizations;
    this.#callers = sessions.callers;
  }

  /**
   * Under the organization's lock, of its member, on behalf of an owner.
   *
   * @throws NOT_FOUND, FORBIDDEN
   */
  changeAsOwner(
    context: MemberContext,
    userId: string,
    { action, change }: OthersAccountChange,
  ): Promise<Member> {
    const { members } = this.#organizations;
    const changing = async (tx: Transaction, role: Role) => {
      requirePermission(role, 'users:disable');
      if (!(await members.find(tx, userId))) throw memberNotFound();

      const isChanged = await tx.within({ userId }, async (inner) => {
        const standing = await this.#repository.lock(inner);
        return standing !== undefined && change(inner, standing);
      });
      if (isChanged) await recordAudit(tx, context, { action, target: { type: 'user', id: userId } });
      const member = await members.find(tx, userId);
      if (!member) throw memberNotFound();
      return member;
    };
    return this.#callers.inOrganization(context, changing, { others: [userId] });
  }

  /**
   * Changes any account, on behalf of the operator; recorded in the trail of each organization of the user.
   *
   * @throws NOT_FOUND
   */
  async changeAsOperator(email: string, { action, change }: OthersAccountChange): Promise<void> {
    const userId = await this.#repository.findByEmail(this.#database.unscoped, email);
    if (userId === undefined) throw accountUnknown();
    await withoutSession('operator', this.#database.within({ userId }), async (tx) => {
      const standing = await this.#repository.lock(tx);
      if (!standing) throw accountUnknown();
      if (!(await change(tx, standing))) return;
      const entry = { action, target: { type: 'user', id: userId } };
      for (const organizationId of await this.#organizations.memberships.organizationIds(tx)) {
        await tx.within({ organizationId }, (inner) => recordAudit(inner, byOperator, entry));
      }
    });
  }

  /** Refuses an account that also belongs to another organization, in a transaction of its user. @throws FORBIDDEN */
  async requireOwn(tx: Transaction, organizationId: string): Promise<void> {
    if (await this.isShared(tx, organizationId)) throw usedElsewhere();
  }

  /** Whether an account also belongs to another organization, in a transaction of its user. */
  isShared(tx: Transaction, organizationId: string): Promise<boolean> {
    return this.#organizations.memberships.belongsToOthers(tx, organizationId);
  }
}

/** An account that is not the organization's alone. */
export const usedElsewhere = () =>
  forbidden('This account is also used elsewhere. Remove the member instead.', 'ACCOUNT_SHARED');
