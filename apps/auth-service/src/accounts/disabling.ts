import { recordAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import { recordUserUpdated } from '../events/index.ts';
import type { Actor, Ground } from '../ground/index.ts';
import {
  forbidden,
  memberNotFound,
  requirePermission,
  type Member,
  type OrganizationsWing,
} from '../organizations/index.ts';
import { sessionEnded, type Sessions } from '../sessions/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import { accountUnknown } from './accounts.errors.ts';
import { createDisablingRepository, type Standing } from './disabling.repository.ts';

/** What disabling needs. */
export interface DisablingDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly organizations: Pick<OrganizationsWing, 'memberships' | 'members'>;
  readonly sessions: Pick<Sessions, 'pending' | 'revokeAll'>;
}

/** A member of an organization. */
interface Place {
  readonly organizationId: string;
  readonly userId: string;
}

/**
 * Disabling accounts, and enabling them again. A disabled account keeps all that belongs to it; nobody signs in to it, its
 * sessions end, its access tokens are revoked, and what was pending is withdrawn. Repeating either changes nothing.
 */
export interface Disabling {
  /**
   * On behalf of an owner, of an account that belongs to this organization alone.
   *
   * @throws NOT_FOUND, FORBIDDEN
   */
  disable(actor: Actor, place: Place): Promise<Member>;
  /** What this organization has disabled, and nobody else. @throws NOT_FOUND, FORBIDDEN */
  enable(actor: Actor, place: Place): Promise<Member>;
  /** On behalf of the operator, of any account. @throws NOT_FOUND */
  disableByOperator(email: string): Promise<void>;
  /** As `disableByOperator`, of an account that an organization has disabled as well. */
  enableByOperator(email: string): Promise<void>;
}

/** Makes the use cases of disabling accounts. */
export function createDisabling(dependencies: DisablingDependencies): Disabling {
  const { database, organizations, sessions, now } = dependencies;
  const { memberships, members } = organizations;
  const repository = createDisablingRepository();

  /** Within a transaction of the user. */
  async function disable(tx: Transaction, userId: string, organizationId: string | null): Promise<void> {
    const at = now();
    await repository.disable(tx, { userId, organizationId, at });
    await sessions.revokeAll(tx, { id: userId });
    await sessions.pending.withdraw(tx);
    await recordRevocation(tx, { kind: 'user', userId, at });
    await recordUserUpdated(tx);
  }

  async function enable(tx: Transaction, userId: string): Promise<void> {
    await repository.enable(tx, { userId, at: now() });
    await recordUserUpdated(tx);
  }

  /** Under the organization's lock, of its member, on behalf of an owner who is not disabled. */
  function asOwner(
    { userId: actorUserId, client }: Actor,
    { organizationId, userId }: Place,
    { action, change }: Change,
  ): Promise<Member> {
    return database.within({ organizationId, userId: actorUserId }).transaction(async (tx) => {
      requirePermission(await memberships.lockAs(tx, actorUserId), 'users:disable');
      const actor = await tx.within({ userId: actorUserId }, (inner) => repository.lock(inner));
      if (!actor || actor.disabled) throw sessionEnded();
      if (!(await members.find(tx, userId))) throw memberNotFound();

      const isChanged = await tx.within({ userId }, async (inner) => {
        const standing = await repository.lock(inner);
        return standing !== undefined && change(inner, standing);
      });
      if (isChanged) {
        const target = { type: 'user', id: userId };
        await recordAudit(tx, { actorUserId, action, target, client });
      }
      const member = await members.find(tx, userId);
      if (!member) throw memberNotFound();
      return member;
    });
  }

  /** Of any account, on behalf of the operator; each organization of the user has it in its trail. */
  async function asOperator(email: string, { action, change }: Change): Promise<void> {
    const userId = await repository.findByEmail(database.unscoped, email);
    if (userId === undefined) throw accountUnknown();
    await database.within({ userId }).transaction(async (tx) => {
      const standing = await repository.lock(tx);
      if (!standing) throw accountUnknown();
      if (!(await change(tx, standing))) return;
      const target = { type: 'user', id: userId };
      const entry = { actorUserId: null, action, target, details: { by: 'operator' } };
      for (const organizationId of await memberships.organizationIds(tx)) {
        await tx.within({ organizationId }, (inner) => recordAudit(inner, entry));
      }
    });
  }

  return {
    disable: (actor, place) =>
      asOwner(actor, place, {
        action: 'user.disabled',
        async change(tx, { disabled }) {
          const { organizationId, userId } = place;
          if (userId === actor.userId) throw forbidden('You cannot disable your own account.');
          if (disabled) return false;
          if (await memberships.belongsToOthers(tx, organizationId)) {
            throw forbidden('This account is also used elsewhere. Remove the member instead.');
          }
          await disable(tx, userId, organizationId);
          return true;
        },
      }),

    enable: (actor, place) =>
      asOwner(actor, place, {
        action: 'user.enabled',
        async change(tx, { disabled, disabledBy }) {
          if (!disabled) return false;
          if (disabledBy !== place.organizationId) {
            throw forbidden('Your organization did not disable this account, so it cannot enable it.');
          }
          await enable(tx, place.userId);
          return true;
        },
      }),

    disableByOperator: (email) =>
      asOperator(email, {
        action: 'user.disabled',
        async change(tx, { disabled, disabledBy }) {
          if (disabled && disabledBy === null) return false;
          await disable(tx, tx.scope.userId ?? '', null);
          return true;
        },
      }),

    enableByOperator: (email) =>
      asOperator(email, {
        action: 'user.enabled',
        async change(tx, { disabled }) {
          if (!disabled) return false;
          await enable(tx, tx.scope.userId ?? '');
          return true;
        },
      }),
  };
}

/** A change of an account, in a transaction of its user that has locked it. */
interface Change {
  readonly action: 'user.disabled' | 'user.enabled';
  /** @returns whether anything changed */
  readonly change: (tx: Transaction, standing: Standing) => Promise<boolean>;
}
