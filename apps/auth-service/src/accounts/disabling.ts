import type { Transaction } from '../database.ts';
import { recordUserUpdated } from '../events/index.ts';
import type { Ground, OrganizationContext } from '../ground/index.ts';
import { forbidden, type Member } from '../organizations/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import { createDisablingRepository } from './disabling.repository.ts';
import type { OthersAccounts } from './others-accounts.ts';

/** What disabling needs. */
export interface DisablingDependencies extends Pick<Ground, 'now'> {
  readonly othersAccounts: OthersAccounts;
  readonly sessions: Pick<Sessions, 'endings' | 'pending'>;
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
  disable(context: OrganizationContext, userId: string): Promise<Member>;
  /** What this organization has disabled, and nobody else. @throws NOT_FOUND, FORBIDDEN */
  enable(context: OrganizationContext, userId: string): Promise<Member>;
  /** On behalf of the operator, of any account. @throws NOT_FOUND */
  disableByOperator(email: string): Promise<void>;
  /** As `disableByOperator`, of an account that an organization has disabled as well. */
  enableByOperator(email: string): Promise<void>;
}

export function createDisabling(dependencies: DisablingDependencies): Disabling {
  const { othersAccounts, sessions, now } = dependencies;
  const repository = createDisablingRepository();

  /** Within a transaction of the user. */
  async function disable(tx: Transaction, userId: string, organizationId: string | null): Promise<void> {
    const at = now();
    await repository.disable(tx, { userId, organizationId, at });
    await sessions.endings.revokeAll(tx, { id: userId });
    await sessions.pending.withdraw(tx);
    await recordRevocation(tx, { kind: 'user', userId, at });
    await recordUserUpdated(tx);
  }

  async function enable(tx: Transaction, userId: string): Promise<void> {
    await repository.enable(tx, { userId, at: now() });
    await recordUserUpdated(tx);
  }

  return {
    disable: (context, userId) =>
      othersAccounts.changeAsOwner(context, userId, {
        action: 'user.disabled',
        async change(tx, { disabled }) {
          const { organizationId, actor } = context;
          if (userId === actor.userId) throw forbidden('You cannot disable your own account.', 'OWN_ACCOUNT');
          if (disabled) return false;
          await othersAccounts.requireOwn(tx, organizationId);
          await disable(tx, userId, organizationId);
          return true;
        },
      }),

    enable: (context, userId) =>
      othersAccounts.changeAsOwner(context, userId, {
        action: 'user.enabled',
        async change(tx, { disabled, disabledBy }) {
          if (!disabled) return false;
          if (disabledBy !== context.organizationId) {
            throw forbidden(
              'Your organization did not disable this account, so it cannot enable it.',
              'ACCOUNT_DISABLED_ELSEWHERE',
            );
          }
          await enable(tx, userId);
          return true;
        },
      }),

    disableByOperator: (email) =>
      othersAccounts.changeAsOperator(email, {
        action: 'user.disabled',
        async change(tx, { disabled, disabledBy }) {
          if (disabled && disabledBy === null) return false;
          await disable(tx, tx.scope.userId ?? '', null);
          return true;
        },
      }),

    enableByOperator: (email) =>
      othersAccounts.changeAsOperator(email, {
        action: 'user.enabled',
        async change(tx, { disabled }) {
          if (!disabled) return false;
          await enable(tx, tx.scope.userId ?? '');
          return true;
        },
      }),
  };
}
