import { recordOwnAudit } from '../../../audit/index.ts';
import type { Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Counter } from '../../lockout/failure-counter.ts';
import type { PasswordsRepository } from './passwords.repository.ts';

/** A password that was wrong. */
export interface Failure {
  readonly counter: Counter;
  /** Undefined for an address without an account, or whose password is already disabled. */
  readonly userId: string | undefined;
}

/** What the consequences of failures depend on. */
export interface PasswordFailuresDependencies extends Pick<
  Ground,
  'config' | 'database' | 'inFixedSteps' | 'now'
> {
  readonly repository: Pick<PasswordsRepository, 'disable'>;
  readonly mail: Pick<Mail, 'addressees' | 'enqueueMail' | 'mailedTokens'>;
}

/**
 * Makes what follows from a failure: at the first lock the user is told, and after very many the password is disabled
 * until it is reset (NIST SP 800-63B-4, 3.2.2). Both take the same time for an address without an account.
 */
export function createPasswordFailures(dependencies: PasswordFailuresDependencies) {
  const { config, database, repository, inFixedSteps, now } = dependencies;
  const { addressees, enqueueMail, mailedTokens } = dependencies.mail;
  const { LOCKOUT_THRESHOLD: threshold, LOCKOUT_DISABLE_AFTER: disableAt } = config;

  async function tellOfLock(userId: string, lockedUntil: Date): Promise<void> {
    await database.within({ userId }).transaction(async (tx) => {
      const account = await addressees.lockForUpdate(tx, { userId, at: now() });
      if (!account) return;
      const { email, name } = account;
      const data = { name, lockedUntil: lockedUntil.toISOString() };
      await enqueueMail(tx, { to: email, template: 'account-locked', data });
      await recordOwnAudit(tx, { action: 'account.locked' });
    });
  }

  async function disable(userId: string, failures: number): Promise<void> {
    await database.within({ userId }).transaction(async (tx) => {
      const at = now();
      const account = await addressees.lockForUpdate(tx, { userId, at });
      if (!account || !(await repository.disable(tx, { userId, at }))) return;
      const { email, name } = account;
      const issue = () => mailedTokens.issue(tx, { purpose: 'password-reset', userId, email });
      const data = async () => ({ name, token: await issue() });
      const cause = { apart: 'password-disabled' };
      await enqueueMail(tx, { to: email, template: 'reset-password', data, cause });
      const details = { failures, passwordDisabled: true };
      await recordOwnAudit(tx, { action: 'account.locked', details });
    });
  }

  return async ({ counter: { failures, lockedUntil }, userId }: Failure): Promise<void> => {
    if (failures !== threshold && failures < disableAt) return;
    await inFixedSteps(async () => {
      if (userId === undefined) return;
      if (failures >= disableAt) await disable(userId, failures);
      else if (lockedUntil) await tellOfLock(userId, lockedUntil);
    });
  };
}
