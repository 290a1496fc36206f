import type { Transaction } from '../../database.ts';
import type { Mail } from '../../mail/index.ts';
import { removeEnrolment, removeLinks, removeSignIns } from './pending-changes.repository.ts';

/**
 * Unfinished changes of an account. Someone who briefly had access to the account must not finish one later, so everything by
 * which a user regains control withdraws them all, in its own transaction: a change or reset of the password, a change of the
 * second factor, the end of sessions, disabling, the first proof of the address.
 */
export class PendingChanges {
  readonly #mailedTokens: Pick<Mail['mailedTokens'], 'revoke'>;

  constructor(mailedTokens: Pick<Mail['mailedTokens'], 'revoke'>) {
    this.#mailedTokens = mailedTokens;
  }

  /** Withdraws everything of the transaction's user: changes of address, resets, set-ups and unfinished sign-ins. */
  async withdraw(tx: Transaction): Promise<void> {
    await this.withdrawOfSession(tx);
    await this.#mailedTokens.revoke(tx, 'password-reset');
    await removeSignIns(tx);
  }

  /** Withdraws changes that only a session can begin. Password resets stay: signing out must not remove the way back in. */
  async withdrawOfSession(tx: Transaction): Promise<void> {
    await this.#mailedTokens.revoke(tx, 'email-change');
    await removeEnrolment(tx);
    await removeLinks(tx);
  }
}
