import { recordAudit } from '../../../audit/audit.ts';
import type { Emails } from '../../../accounts/emails.ts';
import type { EnqueueMail } from '../../../mail/mail.ts';
import type { MailedTokens } from '../../../mail/mailed-tokens/mailed-tokens.ts';
import type { Client } from '../../../ground/callers/client.ts';
import type { SessionEndings } from '../../../sessions/session-endings.ts';
import { sessionEnded } from '../../../sessions/sessions.errors.ts';
import type { Principal } from '../../../sessions/session.ts';
import type { RequireSensitive } from '../../step-up/step-up.ts';
import type { EvenTime } from '../../../ground/limits/even-time.ts';
import type { Lockout } from '../../lockout/lockout.ts';
import type { MailBudget } from '../../../ground/limits/mail-budget.ts';
import { invalidToken } from '../../../mail/mailed-tokens/mailed-tokens.errors.ts';
import type { Challenges } from '../../second-factors/challenges.ts';
import type { MailAccount, PasswordsRepository } from './passwords.repository.ts';
import type { Passwords } from './passwords.ts';

/** What changing and resetting passwords needs. */
export interface PasswordChangesDependencies {
  readonly repository: Pick<PasswordsRepository, 'transaction' | 'findAccount' | 'touchAccount' | 'set'>;
  readonly passwords: Pick<Passwords, 'authenticate' | 'prepare' | 'requireCurrent'>;
  readonly mailedTokens: MailedTokens;
  readonly lockout: Pick<Lockout, 'clear'>;
  readonly requireSensitive: RequireSensitive;
  readonly sessions: Pick<SessionEndings, 'revokeOthers' | 'revokeAll'>;
  readonly challenges: Pick<Challenges, 'closeAll'>;
  readonly emails: Pick<Emails, 'confirm'>;
  readonly enqueueMail: EnqueueMail;
  readonly mailBudget: MailBudget;
  readonly evenly: EvenTime;
  readonly now: () => Date;
}

/** A change of one's own password. */
export interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly client: Client;
}

/** A reset by a mailed token. */
export interface PasswordReset {
  readonly token: string;
  readonly newPassword: string;
  readonly client: Client;
}

/** Changing a password, and setting a new one by mail. */
export interface PasswordChanges {
  /**
   * Sets another password, ends the other sessions, and tells the user.
   *
   * @throws INVALID_CREDENTIALS; INSUFFICIENT_USER_AUTHENTICATION; VALIDATION_ERROR
   */
  change(principal: Principal, change: PasswordChange): Promise<void>;
  /** Mails a token to whoever has the address; tells nobody whether that is anyone. */
  requestReset(email: string): Promise<void>;
  /** As {@link PasswordChanges.requestReset}, on behalf of something that must not even tell that it is too often. */
  offerReset(email: string): Promise<void>;
  /**
   * Sets a new password by a mailed token, once. It ends all sessions and every lock, starts none, and leaves the
   * second factor as it is.
   *
   * @throws INVALID_TOKEN; VALIDATION_ERROR
   */
  reset(reset: PasswordReset): Promise<void>;
}

/** Makes the use cases of changing passwords. */
export function createPasswordChanges(dependencies: PasswordChangesDependencies): PasswordChanges {
  const { repository, passwords, mailedTokens, lockout, requireSensitive, sessions, challenges } =
    dependencies;
  const { emails, enqueueMail, mailBudget, evenly, now } = dependencies;

  async function mailReset({ userId, name }: MailAccount, email: string): Promise<void> {
    await repository.transaction(userId, async (tx) => {
      const token = await mailedTokens.issue(tx, { purpose: 'password-reset', userId, email });
      await enqueueMail(tx, { to: email, template: 'reset-password', data: { name, token } });
    });
  }

  async function mailResetIfKnown(email: string): Promise<void> {
    const account = await repository.findAccount(email);
    if (account) await mailReset(account, email);
  }

  return {
    async change(principal, { currentPassword, newPassword, client }) {
      const { user, organization } = principal;
      // The password is asked for in any case; what is left to ask is the second factor, where there is one.
      await requireSensitive(principal, { concerns: 'others', client });
      const proof = await passwords.authenticate({ email: user.email, password: currentPassword, client });
      const prepared = await passwords.prepare(newPassword, user, 'newPassword');

      await repository.transaction(user.id, async (tx) => {
        const at = now();
        if (!(await repository.touchAccount(tx, { userId: user.id, at }))) throw sessionEnded();
        await passwords.requireCurrent(tx, proof);
        await repository.set(tx, { userId: user.id, passwordHash: prepared, at });
        await mailedTokens.revoke(tx, 'password-reset');
        await challenges.closeAll(tx);
        await sessions.revokeOthers(tx, principal);
        await enqueueMail(tx, { to: user.email, template: 'password-changed', data: { name: user.name } });
        const organizationId = organization?.id ?? null;
        await recordAudit(tx, { organizationId, actorUserId: user.id, action: 'password.changed', client });
      });
    },

    async requestReset(email) {
      await mailBudget.spend(email);
      await evenly(() => mailResetIfKnown(email));
    },

    async offerReset(email) {
      if (await mailBudget.allows(email)) await mailResetIfKnown(email);
    },

    async reset({ token, newPassword, client }) {
      const { email, ...key } = await mailedTokens.recognize(token, ['password-reset']);
      const owner = await repository.findAccount(email);
      // It speaks for the address that it was sent to, as long as that is the account's.
      if (owner?.userId !== key.userId) throw invalidToken();
      const prepared = await passwords.prepare(newPassword, { email, name: owner.name }, 'newPassword');
      const { userId } = key;

      await repository.transaction(userId, async (tx) => {
        const at = now();
        const account = await repository.touchAccount(tx, { userId, at });
        if (account?.email !== email) throw invalidToken();
        await mailedTokens.redeem(tx, key);
        await repository.set(tx, { userId, passwordHash: prepared, at });
        await emails.confirm(tx, userId);
        await mailedTokens.revoke(tx, 'password-reset', 'email-verification', 'email-change');
        await lockout.clear(tx, email);
        await challenges.closeAll(tx);
        await sessions.revokeAll(tx, { id: userId });
        await enqueueMail(tx, { to: email, template: 'password-changed', data: { name: account.name } });
        const { organizationId } = account;
        await recordAudit(tx, { organizationId, actorUserId: userId, action: 'password.reset', client });
      });
    },
  };
}
