import type { UserTransaction } from '../database.ts';
import { recordUserUpdated } from '../events/index.ts';
import type { Ground, MemberContext } from '../ground/index.ts';
import { forbidden, type Member } from '../organizations/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import { DisablingRepository } from './disabling.repository.ts';
import type { OthersAccounts } from './others-accounts.ts';

interface DisablingDependencies extends Pick<Ground, 'now'> {
  readonly othersAccounts: OthersAccounts;
  readonly sessions: Pick<Sessions, 'endings' | 'pending'>;
}

/**
 * Disables and enables accounts. A disabled account keeps its data, but cannot be signed in to; its sessions end, its access
 * tokens are revoked, and pending changes are withdrawn. Both are idempotent. By an organization, an account is disabled only as
 * far as others use it while its address is not proven: the owner of the mailbox claims it, which ends the membership.
 */
export class Disabling {
  readonly #dependencies: DisablingDependencies;
  readonly #repository = new DisablingRepository();

  constructor(dependencies: DisablingDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * On behalf of an owner, of an account that belongs to this organization alone.
   *
   * @throws NOT_FOUND, FORBIDDEN
   */
  disable(context: MemberContext, userId: string): Promise<Member> {
    const { othersAccounts } = this.#dependencies;
    return othersAccounts.changeAsOwner(context, userId, {
      action: 'user.disabled',
      change: async (tx, { disabled }) => {
        const { organizationId, actor } = context;
        if (userId === actor.userId) throw forbidden('You cannot disable your own account.', 'OWN_ACCOUNT');
        if (disabled) return false;
        await othersAccounts.requireOwn(tx, organizationId);
        await this.#disable(tx, userId, organizationId);
        return true;
      },
    });
  }

  /** Enables an account that this organization has disabled. @throws NOT_FOUND, FORBIDDEN */
  enable(context: MemberContext, userId: string): Promise<Member> {
    return this.#dependencies.othersAccounts.changeAsOwner(context, userId, {
      action: 'user.enabled',
      change: async (tx, { disabled, disabledBy }) => {
        if (!disabled) return false;
        if (disabledBy !== context.organizationId) {
          throw forbidden(
            'Your organization did not disable this account, so it cannot enable it.',
            'ACCOUNT_DISABLED_ELSEWHERE',
          );
        }
        await this.#enable(tx, userId);
        return true;
      },
    });
  }

  /** On behalf of the operator, of any account. @throws NOT_FOUND */
  disableByOperator(email: string): Promise<void> {
    return this.#dependencies.othersAccounts.changeAsOperator(email, {
      action: 'user.disabled',
      change: async (tx, { disabled, disabledBy }) => {
        if (disabled && disabledBy === null) return false;
        await this.#disable(tx, tx.scope.userId, null);
        return true;
      },
    });
  }

  /** The reverse of `disableByOperator`, also for an account that an organization has disabled. */
  enableByOperator(email: string): Promise<void> {
    return this.#dependencies.othersAccounts.changeAsOperator(email, {
      action: 'user.enabled',
      change: async (tx, { disabled }) => {
        if (!disabled) return false;
        await this.#enable(tx, tx.scope.userId);
        return true;
      },
    });
  }

  /**
   * By the directory of an organization, in a transaction of the user. The organization is locked.
   *
   * @returns false for an account that is not its own alone, or is disabled already: nothing has changed
   */
  async disableOwn(tx: UserTransaction, organizationId: string): Promise<boolean> {
    const { userId } = tx.scope;
    const standing = await this.#repository.lock(tx);
    if (!standing || standing.disabled) return false;
    if (await this.#dependencies.othersAccounts.isShared(tx, organizationId)) return false;
    await this.#disable(tx, userId, organizationId);
    return true;
  }

  /** The reverse of {@link Disabling.disableOwn}. @returns false for an account that this organization has not disabled */
  async enableOwn(tx: UserTransaction, organizationId: string): Promise<boolean> {
    const standing = await this.#repository.lock(tx);
    if (standing?.disabledBy !== organizationId) return false;
    await this.#enable(tx, tx.scope.userId);
    return true;
  }

  /** Within a transaction of the user. */
  async #disable(tx: UserTransaction, userId: string, organizationId: string | null): Promise<void> {
    const { sessions, now } = this.#dependencies;
    const at = now();
    await this.#repository.disable(tx, { userId, organizationId, at });
    await sessions.endings.revokeAll(tx, { id: userId });
    await sessions.pending.withdraw(tx);
    await recordRevocation(tx, { kind: 'user', userId, at });
    await recordUserUpdated(tx);
  }

  async #enable(tx: UserTransaction, userId: string): Promise<void> {
    await this.#repository.enable(tx, { userId, at: this.#dependencies.now() });
    await recordUserUpdated(tx);
  }
}
