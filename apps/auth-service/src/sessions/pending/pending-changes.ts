import type { UserTransaction } from '../../database.ts';
import type { Mail } from '../../mail/index.ts';
import { removeEnrolment, removeLinks, removeSignIns } from './pending-changes.repository.ts';

/** Unfinished changes that only a session can begin: of address, a set-up of a second factor, a link of a provider account. */
const ofSession = ['email-change', 'set-up', 'identity-link'] as const;

/** Every unfinished change: those, resets of the password, and sign-ins that wait for the second factor. */
export const pendingChanges = [...ofSession, 'password-reset', 'challenge'] as const;

/** One of {@link pendingChanges}. */
export type PendingChange = (typeof pendingChanges)[number];

/**
 * Unfinished changes of an account. Someone who briefly had access to the account must not finish one later, so everything by
 * which a user regains control withdraws them all, in its own transaction: the end of a way in, a change of the second factor,
 * the end of sessions, disabling, the first proof of the address.
 */
export class PendingChanges {
  readonly #withdrawals: Readonly<Record<PendingChange, (tx: UserTransaction) => Promise<void>>>;

  constructor({ addressees, mailedTokens }: Pick<Mail, 'addressees' | 'mailedTokens'>) {
    this.#withdrawals = {
      'email-change': (tx) => mailedTokens.revoke(tx, 'email-change'),
      'set-up': removeEnrolment,
      'identity-link': removeLinks,
      // Nobody who uses an account that an organization made may keep the owner of the mailbox from claiming it.
      'password-reset': async (tx) => {
        if (await addressees.isUnclaimed(tx, tx.scope.userId)) return;
        await mailedTokens.revoke(tx, 'password-reset');
      },
      challenge: removeSignIns,
    };
  }

  /** Withdraws those of the transaction's user: all, by default. */
  async withdraw(tx: UserTransaction, changes: readonly PendingChange[] = pendingChanges): Promise<void> {
    for (const change of changes) await this.#withdrawals[change](tx);
  }

  /** Withdraws changes that only a session can begin. Password resets stay: signing out must not remove the way back in. */
  withdrawOfSession(tx: UserTransaction): Promise<void> {
    return this.withdraw(tx, ofSession);
  }
}
