import { recordOwnAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import { recordUserUpdated } from '../events/index.ts';
import type { Client, Ground, User } from '../ground/index.ts';
import { invalidToken, type Addressee, type Mail, type RecognizedToken } from '../mail/index.ts';
import type { Principal } from '../sessions/index.ts';
import type { SignIn } from '../sign-in/index.ts';
import { createEmailsRepository } from './emails.repository.ts';

/** What the use cases of addresses need. */
export interface EmailsDependencies extends Pick<Ground, 'database' | 'inFixedSteps' | 'now'> {
  readonly mail: Mail;
  readonly signIn: Pick<SignIn, 'requireSensitive' | 'forgetAddress' | 'forgetFailures'>;
}

/** A move to another address. */
export interface EmailChange {
  readonly newEmail: string;
  /** A user without a second factor who did not just sign in must give it. */
  readonly password?: string | undefined;
  readonly client: Client;
}

/** Confirming an address, and moving to another. */
export interface Emails {
  /** Mails the link that confirms a new account's address, within the transaction that creates it. */
  sendVerification(tx: Transaction, user: User): Promise<void>;
  /** Mails the link again; reveals nothing about whether there is an account to confirm. */
  resend(email: string): Promise<void>;
  /**
   * Redeems a mailed link: confirms an address or completes a change.
   *
   * @throws INVALID_TOKEN
   */
  verify(token: string, client: Client): Promise<{ readonly email: string }>;
  /**
   * Mails a link to the new address; the account moves when it comes back. Reveals nothing about whether the address
   * is taken: then nothing is sent.
   *
   * @throws INSUFFICIENT_USER_AUTHENTICATION; INVALID_CREDENTIALS; RATE_LIMITED
   */
  requestChange(principal: Principal, change: EmailChange): Promise<void>;
}

/** Makes the use cases of addresses. */
export function createEmails(dependencies: EmailsDependencies): Emails {
  const { database, inFixedSteps, now } = dependencies;
  const { addressees, enqueueMail, mailBudget, mailedTokens } = dependencies.mail;
  const { requireSensitive, forgetAddress, forgetFailures } = dependencies.signIn;
  const repository = createEmailsRepository();

  async function sendVerification(tx: Transaction, { id, email, name }: User): Promise<void> {
    const token = await mailedTokens.issue(tx, { purpose: 'email-verification', userId: id, email });
    await enqueueMail(tx, { to: email, template: 'verify-email', data: { name, token } });
  }

  async function confirmAddress(tx: Transaction, account: Addressee, client: Client): Promise<void> {
    const { userId } = account;
    await mailedTokens.revoke(tx, 'email-verification');
    if (!(await addressees.confirm(tx, { userId, at: now() }))) return;
    await forgetFailures(tx, account.email);
    await recordOwnAudit(tx, { action: 'email.verified', client });
  }

  async function moveTo(email: string, tx: Transaction, former: Addressee, client: Client): Promise<void> {
    const { userId, name } = former;
    if (!(await repository.change(tx, { userId, email, at: now() }))) throw invalidToken();
    // What was mailed to the former address no longer speaks for the account.
    await mailedTokens.revoke(tx, 'password-reset', 'email-verification', 'email-change');
    await forgetAddress(tx, former.email);
    await enqueueMail(tx, { to: former.email, template: 'email-changed', data: { name, newEmail: email } });
    await recordUserUpdated(tx);
    await recordOwnAudit(tx, { action: 'email.changed', client });
  }

  async function take({ email, ...key }: RecognizedToken, client: Client): Promise<void> {
    const { userId } = key;
    await database.within({ userId }).transaction(async (tx) => {
      const account = await addressees.lockForUpdate(tx, { userId, at: now() });
      if (!account) throw invalidToken();
      await mailedTokens.redeem(tx, key);
      if (key.purpose === 'email-change') await moveTo(email, tx, account, client);
      else if (account.email === email) await confirmAddress(tx, account, client);
      else throw invalidToken();
    });
  }

  return {
    sendVerification,

    async resend(email) {
      await mailBudget.spend(email);
      await inFixedSteps(async () => {
        const account = await addressees.findByEmail(database.unscoped, email);
        if (!account || account.verified) return;
        const { userId, name } = account;
        await database
          .within({ userId })
          .transaction((tx) => sendVerification(tx, { id: userId, email, name }));
      });
    },

    async verify(token, client) {
      const recognized = await mailedTokens.recognize(token, ['email-verification', 'email-change']);
      await take(recognized, client);
      return { email: recognized.email };
    },

    async requestChange(principal, { newEmail: email, password, client }) {
      await requireSensitive(principal, { concerns: 'own-account', password, client });
      await mailBudget.spendForOther(email);
      const { id: userId, name } = principal.user;
      await inFixedSteps(async () => {
        if (await repository.isTaken(database.unscoped, email)) return;
        await database.within({ userId }).transaction(async (tx) => {
          const token = await mailedTokens.issue(tx, { purpose: 'email-change', userId, email });
          await enqueueMail(tx, { to: email, template: 'verify-email', data: { name, token } });
        });
      });
    },
  };
}
