import { recordAudit } from '../audit/audit.ts';
import type { Transaction } from '../database.ts';
import { recordEvent } from '../events/events.ts';
import type { EnqueueMail } from '../mail/mail.ts';
import { invalidToken } from '../mail/mailed-tokens/mailed-tokens.errors.ts';
import type { MailedTokens, RecognizedToken } from '../mail/mailed-tokens/mailed-tokens.ts';
import type { Client } from '../ground/callers/client.ts';
import type { Principal, SessionUser } from '../sessions/session.ts';
import type { RequireSensitive } from '../sign-in/step-up/step-up.ts';
import type { EvenTime } from '../ground/limits/even-time.ts';
import type { MailBudget } from '../ground/limits/mail-budget.ts';
import type { EmailAccount, EmailsRepository } from './emails.repository.ts';

/** What the use cases of addresses need. */
export interface EmailsDependencies {
  readonly repository: EmailsRepository;
  readonly mailedTokens: MailedTokens;
  readonly enqueueMail: EnqueueMail;
  readonly mailBudget: MailBudget;
  readonly evenly: EvenTime;
  readonly requireSensitive: RequireSensitive;
  readonly now: () => Date;
}

/** A move to another address. */
export interface EmailChange {
  readonly newEmail: string;
  /** Asked of whoever has no second factor and did not sign in just now. */
  readonly password?: string | undefined;
  readonly client: Client;
}

/** Showing that an address is one's own, and moving to another. */
export interface Emails {
  /** Mails the link that confirms a new account's address, within the transaction that makes it. */
  sendVerification(tx: Transaction, user: SessionUser): Promise<void>;
  /** Mails the link again; tells nobody whether there is an account to confirm. */
  resend(email: string): Promise<void>;
  /** Marks the address of the transaction's user as the user's: something that was mailed there has come back. */
  confirm(tx: Transaction, userId: string): Promise<void>;
  /**
   * Takes a mailed link back, of a new account as of a move to another address.
   *
   * @throws INVALID_TOKEN
   */
  verify(token: string, client: Client): Promise<{ readonly email: string }>;
  /**
   * Mails a link to the new address; the account moves when it comes back. Tells nobody whether the address is
   * taken: then nothing is sent.
   *
   * @throws INSUFFICIENT_USER_AUTHENTICATION; INVALID_CREDENTIALS; RATE_LIMITED
   */
  requestChange(principal: Principal, change: EmailChange): Promise<void>;
}

/** Makes the use cases of addresses. */
export function createEmails(dependencies: EmailsDependencies): Emails {
  const { repository, mailedTokens, enqueueMail, mailBudget, evenly, requireSensitive, now } = dependencies;

  async function sendVerification(tx: Transaction, { id, email, name }: SessionUser): Promise<void> {
    const token = await mailedTokens.issue(tx, { purpose: 'email-verification', userId: id, email });
    await enqueueMail(tx, { to: email, template: 'verify-email', data: { name, token } });
  }

  async function confirmAddress(tx: Transaction, account: EmailAccount, client: Client): Promise<void> {
    const { userId, organizationId } = account;
    await mailedTokens.revoke(tx, 'email-verification');
    if (!(await repository.confirm(tx, userId, now()))) return;
    await recordAudit(tx, { organizationId, actorUserId: userId, action: 'email.verified', client });
  }

  async function moveTo(email: string, tx: Transaction, former: EmailAccount, client: Client): Promise<void> {
    const { userId, name, createdAt, organizationId } = former;
    if (!(await repository.change(tx, { userId, email, at: now() }))) throw invalidToken();
    // What was mailed to the former address speaks for the account no more.
    await mailedTokens.revoke(tx, 'password-reset', 'email-verification', 'email-change');
    await enqueueMail(tx, { to: former.email, template: 'email-changed', data: { name, newEmail: email } });
    await recordEvent(tx, { type: 'user.updated', userId, email, name, createdAt });
    await recordAudit(tx, { organizationId, actorUserId: userId, action: 'email.changed', client });
  }

  async function take({ email, ...key }: RecognizedToken, client: Client): Promise<void> {
    await repository.transaction(key.userId, async (tx) => {
      const account = await repository.hold(tx, key.userId, now());
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
      await evenly(async () => {
        const account = await repository.findByEmail(email);
        if (!account || account.verified) return;
        const { userId: id, name } = account;
        await repository.transaction(id, (tx) => sendVerification(tx, { id, email, name }));
      });
    },

    async confirm(tx, userId) {
      await repository.confirm(tx, userId, now());
    },

    async verify(token, client) {
      const recognized = await mailedTokens.recognize(token, ['email-verification', 'email-change']);
      await take(recognized, client);
      return { email: recognized.email };
    },

    async requestChange(principal, { newEmail: email, password, client }) {
      await requireSensitive(principal, { concerns: 'own-account', password, client });
      await mailBudget.spend(email);
      const { id: userId, name } = principal.user;
      await evenly(async () => {
        if (await repository.isTaken(email)) return;
        await repository.transaction(userId, async (tx) => {
          const token = await mailedTokens.issue(tx, { purpose: 'email-change', userId, email });
          await enqueueMail(tx, { to: email, template: 'verify-email', data: { name, token } });
        });
      });
    },
  };
}
