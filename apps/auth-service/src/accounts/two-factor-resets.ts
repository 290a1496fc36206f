import { recordDoneTo } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import type { Actor, Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import { forbidden, type Member } from '../organizations/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import type { OthersAccounts, Place } from './others-accounts.ts';

/** What resets need. */
export interface TwoFactorResetsDependencies extends Pick<Ground, 'now'> {
  readonly othersAccounts: OthersAccounts;
  readonly mail: Pick<Mail, 'addressees' | 'enqueueMail'>;
  readonly sessions: Pick<Sessions, 'pending' | 'revokeAll'>;
  readonly signIn: Pick<SignIn, 'secondFactors'>;
}

/**
 * Turning off the two-factor authentication of somebody who has lost the second factor and the backup codes. It ends the
 * user's sessions and everything that was pending, and the user is told. Repeating it changes nothing.
 */
export class TwoFactorResets {
  readonly #parts: TwoFactorResetsDependencies;

  constructor(parts: TwoFactorResetsDependencies) {
    this.#parts = parts;
  }

  /**
   * On behalf of an owner, of an account that belongs to this organization alone; never of their own.
   *
   * @throws NOT_FOUND, FORBIDDEN
   */
  reset(actor: Actor, place: Place): Promise<Member> {
    const { othersAccounts } = this.#parts;
    return othersAccounts.changeAsOwner(actor, place, {
      action: 'two-factor.reset',
      change: async (tx) => {
        const { organizationId, userId } = place;
        if (userId === actor.userId)
          throw forbidden('You cannot reset your own second factor.', 'OWN_ACCOUNT');
        await othersAccounts.requireOwn(tx, organizationId);
        return this.#reset(tx, userId, 'organization');
      },
    });
  }

  /** On behalf of the operator, of any account. @throws NOT_FOUND */
  async resetByOperator(email: string): Promise<void> {
    await this.#parts.othersAccounts.changeAsOperator(email, {
      action: 'two-factor.reset',
      change: (tx) => this.#reset(tx, tx.scope.userId ?? '', 'operator'),
    });
  }

  async #reset(tx: Transaction, userId: string, by: 'organization' | 'operator'): Promise<boolean> {
    const { mail, sessions, signIn, now } = this.#parts;
    if (!(await signIn.secondFactors.discard(tx))) return false;
    const at = now();
    await sessions.revokeAll(tx, { id: userId });
    await sessions.pending.withdraw(tx);
    await recordRevocation(tx, { kind: 'user', userId, at });
    await recordDoneTo(tx, { action: 'two-factor.reset', details: { by } });
    const account = await mail.addressees.lockForUpdate(tx, { userId, at });
    if (!account) return true;
    const { email: to, name } = account;
    await mail.enqueueMail(tx, { to, template: 'two-factor-changed', data: { name, change: 'reset' } });
    return true;
  }
}
