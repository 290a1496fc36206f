import type { Actor } from '@tenantry/service/resources';
import { recordDoneTo } from '../audit/index.ts';
import type { UserTransaction } from '../database.ts';
import { byOperator, type Ground, type MemberContext } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import { forbidden, type Member } from '../organizations/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import type { OthersAccounts } from './others-accounts.ts';

interface TwoFactorResetsDependencies extends Pick<Ground, 'now'> {
  readonly othersAccounts: OthersAccounts;
  readonly mail: Pick<Mail, 'addressees' | 'outbox'>;
  readonly sessions: Pick<Sessions, 'endings'>;
  readonly signIn: Pick<SignIn, 'endedWays' | 'secondFactors'>;
}

/**
 * Turns off the two-factor authentication of a user who has lost the second factor and the backup codes. It ends the user's
 * sessions and pending changes, and notifies the user. It is idempotent.
 */
export class TwoFactorResets {
  readonly #dependencies: TwoFactorResetsDependencies;

  constructor(dependencies: TwoFactorResetsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * On behalf of an owner, of an account that belongs to this organization alone; never of their own.
   *
   * @throws NOT_FOUND, FORBIDDEN
   */
  reset(context: MemberContext, userId: string): Promise<Member> {
    const { othersAccounts } = this.#dependencies;
    const { organizationId, actor } = context;
    return othersAccounts.changeAsOwner(context, userId, {
      action: 'two-factor.reset',
      change: async (tx) => {
        if (userId === actor.userId)
          throw forbidden('You cannot reset your own second factor.', 'OWN_ACCOUNT');
        await othersAccounts.requireOwn(tx, organizationId);
        return this.#reset(tx, userId, actor);
      },
    });
  }

  /** On behalf of the operator, of any account. @throws NOT_FOUND */
  async resetByOperator(email: string): Promise<void> {
    await this.#dependencies.othersAccounts.changeAsOperator(email, {
      action: 'two-factor.reset',
      change: (tx) => this.#reset(tx, tx.scope.userId, byOperator.actor),
    });
  }

  async #reset(tx: UserTransaction, userId: string, actor: Actor): Promise<boolean> {
    const { mail, sessions, signIn, now } = this.#dependencies;
    if (!(await signIn.secondFactors.discard(tx))) return false;
    const at = now();
    const account = await mail.addressees.lockForUpdate(tx, { userId, at });
    await sessions.endings.revokeAll(tx, { id: userId });
    if (account) await signIn.endedWays.end(tx, 'second-factor', { account: { ...account, id: userId } });
    await recordRevocation(tx, { kind: 'user', userId, at });
    await recordDoneTo(tx, actor, { action: 'two-factor.reset' });
    if (account) await mail.outbox.notify(tx, account, 'two-factor-changed', { change: 'reset' });
    return true;
  }
}
