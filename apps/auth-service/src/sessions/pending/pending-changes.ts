import type { Transaction } from '../../database.ts';
import type { Mail } from '../../mail/index.ts';
import { removeEnrolment, removeLinks, removeSignIns } from './pending-changes.repository.ts';

/**
 * What was begun on an account and is not finished. Someone who held the account for a minute must not finish it later, so
 * whatever takes the account back withdraws it all, in its own transaction: a change or reset of the password, a change
 * of the second factor, the end of sessions, disabling, the first proof of the address.
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

  /** Withdraws what takes a session to begin. A reset does not: signing out must not cost the way back in. */
  async withdrawOfSession(tx: Transaction): Promise<void> {
    await this.#mailedTokens.revoke(tx, 'email-change');
    await removeEnrolment(tx);
    await removeLinks(tx);
  }
}
