import { recordOwnAudit } from '../../../audit/index.ts';
import { withoutSession } from '../../../database.ts';
import type { Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Counter } from '../../lockout/lockout.ts';
import { PasswordsRepository, type SetPassword } from './passwords.repository.ts';

/** A wrong password. */
export interface Failure {
  readonly counter: Counter;
  /** The stored password; undefined for an address without an account, or if the password is already disabled. */
  readonly guessed: SetPassword | undefined;
}

/** What the consequences of failures depend on. */
interface PasswordFailuresDependencies extends Pick<Ground, 'config' | 'database' | 'inFixedSteps' | 'now'> {
  readonly mail: Pick<Mail, 'addressees' | 'outbox' | 'mailedTokens'>;
}

/**
 * The consequences of failures: at the first lock the user is notified, and after very many the password is disabled until it
 * is reset (NIST SP 800-63B-4, 3.2.2). Both take the same time for an address without an account.
 */
export class PasswordFailures {
  readonly #dependencies: PasswordFailuresDependencies;
  readonly #repository = new PasswordsRepository();

  constructor(dependencies: PasswordFailuresDependencies) {
    this.#dependencies = dependencies;
  }

  async respondTo({ counter: { failures, lockedUntil }, guessed }: Failure): Promise<void> {
    const { config, inFixedSteps } = this.#dependencies;
    const { LOCKOUT_THRESHOLD: threshold, LOCKOUT_DISABLE_AFTER: disableAt } = config;
    if (failures !== threshold && failures < disableAt) return;
    await inFixedSteps(async () => {
      if (!guessed) return;
      if (failures >= disableAt) await this.#disable(guessed, failures);
      else if (lockedUntil) await this.#notifyOfLock(guessed.userId, lockedUntil);
    });
  }

  async #notifyOfLock(userId: string, lockedUntil: Date): Promise<void> {
    const { database, mail, now } = this.#dependencies;
    await withoutSession('defence', database.within({ userId }), async (tx) => {
      const account = await mail.addressees.lockForUpdate(tx, { userId, at: now() });
      if (!account) return;
      await mail.outbox.notify(tx, account, 'account-locked', { lockedUntil: lockedUntil.toISOString() });
      await recordOwnAudit(tx, { action: 'account.locked' });
    });
  }

  /** Not if the user has set another one meanwhile. */
  async #disable(guessed: SetPassword, failures: number): Promise<void> {
    const { database, mail, now } = this.#dependencies;
    const { userId } = guessed;
    await withoutSession('defence', database.within({ userId }), async (tx) => {
      const at = now();
      const account = await mail.addressees.lockForUpdate(tx, { userId, at });
      if (!account || !(await this.#repository.disable(tx, guessed, at))) return;
      const { email, name } = account;
      const issue = () => mail.mailedTokens.issue(tx, { purpose: 'password-reset', userId, email });
      const data = async () => ({ name, token: await issue() });
      const cause = { apart: 'password-disabled' };
      await mail.outbox.enqueue(tx, { to: email, template: 'reset-password', data, cause });
      const details = { failures, passwordDisabled: true };
      await recordOwnAudit(tx, { action: 'account.locked', details });
    });
  }
}
