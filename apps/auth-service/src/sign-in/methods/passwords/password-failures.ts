import { recordAudit } from '../../../audit/audit.ts';
import type { EnqueueMail } from '../../../mail/mail.ts';
import type { MailedTokens } from '../../../mail/mailed-tokens/mailed-tokens.ts';
import type { EvenTime } from '../../../ground/limits/even-time.ts';
import type { PasswordsRepository } from './passwords.repository.ts';
import type { Failure } from './passwords.ts';

/** What the consequences of failures depend on. */
export interface PasswordFailuresDependencies {
  readonly repository: Pick<PasswordsRepository, 'transaction' | 'touchAccount' | 'disable'>;
  readonly mailedTokens: Pick<MailedTokens, 'issue'>;
  readonly enqueueMail: EnqueueMail;
  readonly evenly: EvenTime;
  /** At this many consecutive failures the user is told. */
  readonly threshold: number;
  /** At this many the password is disabled: NIST SP 800-63B-4, 3.2.2. */
  readonly disableAt: number;
  readonly now: () => Date;
}

/**
 * Makes what follows from a failure: at the first lock the user is told, and at a great many the password is disabled
 * until it is reset. Both take the same time for an address without an account.
 */
export function createPasswordFailures(dependencies: PasswordFailuresDependencies) {
  const { repository, mailedTokens, enqueueMail, evenly, threshold, disableAt, now } = dependencies;

  async function tellOfLock(userId: string, lockedUntil: Date): Promise<void> {
    await repository.transaction(userId, async (tx) => {
      const account = await repository.touchAccount(tx, { userId, at: now() });
      if (!account) return;
      const { email, name, organizationId } = account;
      const data = { name, lockedUntil: lockedUntil.toISOString() };
      await enqueueMail(tx, { to: email, template: 'account-locked', data });
      await recordAudit(tx, { organizationId, actorUserId: userId, action: 'account.locked' });
    });
  }

  async function disable(userId: string, failures: number): Promise<void> {
    await repository.transaction(userId, async (tx) => {
      const at = now();
      const account = await repository.touchAccount(tx, { userId, at });
      if (!account || !(await repository.disable(tx, { userId, at }))) return;
      const { email, name, organizationId } = account;
      const token = await mailedTokens.issue(tx, { purpose: 'password-reset', userId, email });
      await enqueueMail(tx, { to: email, template: 'reset-password', data: { name, token } });
      const details = { failures, passwordDisabled: true };
      await recordAudit(tx, { organizationId, actorUserId: userId, action: 'account.locked', details });
    });
  }

  return async ({ counter: { failures, lockedUntil }, userId }: Failure): Promise<void> => {
    if (failures !== threshold && failures < disableAt) return;
    await evenly(async () => {
      if (userId === undefined) return;
      if (failures >= disableAt) await disable(userId, failures);
      else if (lockedUntil) await tellOfLock(userId, lockedUntil);
    });
  };
}
