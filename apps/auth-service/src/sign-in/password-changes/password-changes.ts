import { recordOwnAudit } from '../../audit/index.ts';
import type { Transaction } from '../../database.ts';
import type { Actor, Client, Ground } from '../../ground/index.ts';
import { invalidToken, type Addressee, type Mail } from '../../mail/index.ts';
import { sessionEnded, type Principal, type RequireSensitive, type Sessions } from '../../sessions/index.ts';
import type { Lockout } from '../lockout/lockout.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import type { Challenges } from '../second-factors/challenges.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';

/** What changing and resetting passwords needs. */
export interface PasswordChangesDependencies extends Pick<Ground, 'database' | 'inFixedSteps' | 'now'> {
  readonly passwords: Pick<Passwords, 'confirm' | 'spend' | 'requireAcceptable' | 'prepare' | 'replace'>;
  readonly lockout: Pick<Lockout, 'clear' | 'forgetDevices'>;
  readonly challenges: Pick<Challenges, 'closeAll'>;
  readonly secondFactors: Pick<SecondFactors, 'discard'>;
  readonly requireSensitive: RequireSensitive;
  readonly sessions: Pick<Sessions, 'revokeOthers' | 'revokeAll'>;
  readonly mail: Pick<Mail, 'addressees' | 'enqueueMail' | 'mailBudget' | 'mailedTokens'>;
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

/**
 * Gives the organization that came with an account back to its user, in a transaction of the user: nobody else keeps a
 * say in it. @returns the names of the others
 */
export type ReclaimPersonal = (tx: Transaction, actor: Actor) => Promise<readonly string[]>;

/** Changing a password, and setting a new one by mail. */
export interface PasswordChanges {
  /**
   * Sets another password, ends the other sessions, and tells the user.
   *
   * @throws INVALID_CREDENTIALS; INSUFFICIENT_USER_AUTHENTICATION; VALIDATION_ERROR
   */
  change(principal: Principal, change: PasswordChange): Promise<void>;
  /** Mails a token to the account of the address; reveals nothing about whether there is one. */
  requestReset(email: string): Promise<void>;
  /** As {@link PasswordChanges.requestReset}, for a caller that must not even reveal that it is too often. */
  offerReset(email: string): Promise<void>;
  /**
   * Sets a new password by a mailed token, once. It ends all sessions and every lock, starts none, and leaves the
   * second factor as it is, unless this is the first proof that the address is the user's: then nothing survives that
   * was set up before (Sudhodanan and Paverd, "Pre-hijacked accounts", USENIX Security 2022).
   *
   * @throws INVALID_TOKEN; VALIDATION_ERROR
   */
  reset(reset: PasswordReset, reclaimPersonal: ReclaimPersonal): Promise<void>;
}

/** Makes the use cases of changing passwords. */
export function createPasswordChanges(dependencies: PasswordChangesDependencies): PasswordChanges {
  const { database, passwords, lockout, challenges, secondFactors, requireSensitive, sessions } =
    dependencies;
  const { inFixedSteps, now } = dependencies;
  const { addressees, enqueueMail, mailBudget, mailedTokens } = dependencies.mail;

  async function mailReset({ userId, name, email }: Addressee): Promise<void> {
    await database.within({ userId }).transaction(async (tx) => {
      const token = await mailedTokens.issue(tx, { purpose: 'password-reset', userId, email });
      await enqueueMail(tx, { to: email, template: 'reset-password', data: { name, token } });
    });
  }

  /** Undoes what somebody else may have set up, before it was known whose the address is. */
  async function undoSetUp(tx: Transaction, { email }: Addressee, client: Client): Promise<boolean> {
    await lockout.forgetDevices(tx, email);
    const hadSecondFactor = await secondFactors.discard(tx);
    if (!hadSecondFactor) return false;
    await recordOwnAudit(tx, { action: 'two-factor.disabled', client });
    return true;
  }

  async function mailResetIfKnown(email: string): Promise<void> {
    const account = await addressees.findByEmail(database.unscoped, email);
    if (account) await mailReset(account);
  }

  return {
    async change(principal, { currentPassword, newPassword, client }) {
      const { user } = principal;
      const { id: userId, email, name } = user;
      // The password is asked for in any case; what is left to ask is the second factor, where there is one.
      await requireSensitive(principal, { concerns: 'others', client });
      passwords.requireAcceptable(newPassword, user, 'newPassword');
      const reason = await passwords.spend({ userId, client });
      const current = { password: currentPassword, field: 'currentPassword' };
      const proof = await passwords.confirm({ user, ...current, client, reason });
      const chosen = { password: newPassword, field: 'newPassword' };
      const prepared = await passwords.prepare({ ...chosen, owner: user, reason });

      await database.within({ userId }).transaction(async (tx) => {
        if (!(await addressees.lockForUpdate(tx, { userId, at: now() }))) throw sessionEnded();
        await proof.requireValid(tx);
        await passwords.replace(tx, userId, prepared);
        await mailedTokens.revoke(tx, 'password-reset');
        await challenges.closeAll(tx);
        await sessions.revokeOthers(tx, principal);
        await enqueueMail(tx, { to: email, template: 'password-changed', data: { name } });
        await recordOwnAudit(tx, { action: 'password.changed', client });
      });
    },

    async requestReset(email) {
      await mailBudget.spend(email);
      await inFixedSteps(() => mailResetIfKnown(email));
    },

    async offerReset(email) {
      if (await mailBudget.allows(email)) await mailResetIfKnown(email);
    },

    async reset({ token, newPassword, client }, reclaimPersonal) {
      const { email, ...key } = await mailedTokens.recognize(token, ['password-reset']);
      const { userId } = key;
      const owner = await addressees.findByEmail(database.unscoped, email);
      // It speaks for the address that it was sent to, as long as that is the account's.
      if (owner?.userId !== userId) throw invalidToken();
      const chosen = { password: newPassword, field: 'newPassword' };
      passwords.requireAcceptable(newPassword, owner, 'newPassword');
      const reason = await passwords.spend({ userId, client });
      const prepared = await passwords.prepare({ ...chosen, owner, reason });

      await database.within({ userId }).transaction(async (tx) => {
        const at = now();
        // Organizations are locked before their members.
        const others = owner.verified ? [] : await reclaimPersonal(tx, { userId, client });
        const account = await addressees.lockForUpdate(tx, { userId, at });
        if (account?.email !== email) throw invalidToken();
        await mailedTokens.redeem(tx, key);
        await passwords.replace(tx, userId, prepared);
        await addressees.confirm(tx, { userId, at });
        await mailedTokens.revoke(tx, 'password-reset', 'email-verification', 'email-change');
        await lockout.clear(tx, email);
        await challenges.closeAll(tx);
        await sessions.revokeAll(tx, { id: userId });
        const { name } = account;
        const secondFactorRemoved = !owner.verified && (await undoSetUp(tx, account, client));
        const undone = { secondFactorRemoved, others };
        if (secondFactorRemoved || others.length > 0)
          await enqueueMail(tx, { to: email, template: 'account-recovered', data: { name, ...undone } });
        else await enqueueMail(tx, { to: email, template: 'password-changed', data: { name } });
        await recordOwnAudit(tx, { action: 'password.reset', client });
      });
    },
  };
}
