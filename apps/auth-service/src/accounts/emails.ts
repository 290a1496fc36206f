import { recordOwnAudit } from '../audit/index.ts';
import { withoutSession, type UserTransaction } from '../database.ts';
import { recordUserUpdated } from '../events/index.ts';
import type { Client, Ground, User } from '../ground/index.ts';
import {
  invalidToken,
  type Addressee,
  type Cause,
  type Mail,
  type RecognizedToken,
  type SignUpDetails,
} from '../mail/index.ts';
import type { Principal, Sessions } from '../sessions/index.ts';
import type { SignIn, Undone } from '../sign-in/index.ts';
import { otherAccount } from './emails.errors.ts';
import { AccountsRepository } from './accounts.repository.ts';

interface EmailsDependencies extends Pick<Ground, 'database' | 'inFixedSteps' | 'now'> {
  readonly mail: Mail;
  readonly sessions: Pick<Sessions, 'callers'>;
  readonly signIn: Pick<SignIn, 'stepUp' | 'firstProofs' | 'endedWays' | 'lockout'>;
}

/** A change of address. */
interface EmailChange {
  readonly newEmail: string;
  /** A user without a second factor who did not just sign in must give it. */
  readonly password?: string | undefined;
  readonly client: Client;
}

/** A change of address that its new mailbox has confirmed. */
interface Move {
  readonly email: string;
  readonly former: Addressee;
  readonly principal: Principal;
  readonly client: Client;
}

/** A request for the link that confirms an address. */
interface VerificationOptions {
  readonly cause?: Cause;
  /** Of a sign-up that replaced an earlier one. */
  readonly replaces?: SignUpDetails;
}

/** The result of a mailed link. */
interface Verified {
  readonly email: string;
  /** For a new password, where there is none any more: the link has proven the mailbox. */
  readonly resetToken?: string;
}

/** A mailed link that was followed. */
interface Redemption {
  readonly token: string;
  readonly client: Client;
  /** The caller, where a session is needed. @throws UNAUTHENTICATED */
  readonly signedIn: () => Promise<Principal>;
}

/** Confirms and changes addresses. */
export class Emails {
  readonly #dependencies: EmailsDependencies;
  readonly #repository = new AccountsRepository();

  constructor(dependencies: EmailsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Mails the link that confirms a new account's address, within the transaction that creates it. @returns whether it goes */
  async sendVerification(
    tx: UserTransaction,
    user: User,
    { cause, replaces }: VerificationOptions = {},
  ): Promise<boolean> {
    const { mail } = this.#dependencies;
    const { id: userId, email, name } = user;
    // Users whose own address is not confirmed cannot have e-mail sent to another one.
    if (cause?.userId !== undefined && !(await mail.addressees.hasProven(tx, cause.userId))) return false;
    const data = async () => {
      const token = await mail.mailedTokens.issue(tx, { purpose: 'email-verification', userId, email });
      return { name, token, ...(replaces && { replaces }) };
    };
    return mail.outbox.enqueue(tx, { to: email, template: 'verify-email', data, cause });
  }

  /** Mails the link again; reveals nothing about whether there is an account to confirm. */
  resend({ email, client }: { readonly email: string; readonly client: Client }): Promise<void> {
    const { mail, signIn, database, inFixedSteps } = this.#dependencies;
    return inFixedSteps(async () => {
      const account = await mail.addressees.findByEmail(database.unscoped, email);
      if (!account || account.verified) return;
      const { userId: id, name } = account;
      const cause = { apart: await signIn.lockout.knownDevice(database.unscoped, { email, client }) };
      await withoutSession('mailed token', database.within({ userId: id }), async (tx) => {
        if (await mail.addressees.hold(tx, account))
          await this.sendVerification(tx, { id, email, name }, { cause });
      });
    });
  }

  /**
   * Redeems a mailed link: confirms an address or completes a change. A change is completed only in a session of the account:
   * another reader of the letter must not move somebody's account to their own address.
   *
   * @throws INVALID_TOKEN; UNAUTHENTICATED; OTHER_ACCOUNT
   */
  async verify({ token, client, signedIn }: Redemption): Promise<Verified> {
    const recognized = await this.#dependencies.mail.mailedTokens.recognize(token, [
      'email-verification',
      'email-change',
    ]);
    const { email } = recognized;
    if (recognized.purpose !== 'email-change') return { email, ...(await this.#confirm(recognized, client)) };
    await this.#move(recognized, await signedIn(), client);
    return { email };
  }

  /**
   * Notifies the current address, and mails a link to the new one; following it completes the change. Replaces an earlier
   * request. Does not reveal whether the address is taken: if so, no link is sent.
   *
   * @throws INSUFFICIENT_USER_AUTHENTICATION; INVALID_CREDENTIALS
   */
  async requestChange(principal: Principal, { newEmail, password, client }: EmailChange): Promise<void> {
    const { signIn, sessions, inFixedSteps } = this.#dependencies;
    await signIn.stepUp.require(principal, { concerns: 'way-in', password, client });
    await inFixedSteps(() =>
      sessions.callers.ownAccount(principal, (tx, account) => this.#beginMove(tx, account, newEmail)),
    );
  }

  async #moveTo(tx: UserTransaction, { email, former, principal, client }: Move): Promise<void> {
    const { mail, signIn, now } = this.#dependencies;
    const { userId } = former;
    // Before the change, while it is known whether the former address is proven.
    await mail.outbox.notify(tx, former, 'email-changed', { newEmail: email });
    if (!(await this.#repository.change(tx, { userId, email, at: now() }))) throw invalidToken();
    // Nothing that the former address has proven, or was mailed to it, leads to the account any more.
    await mail.mailedTokens.revoke(tx, 'email-verification');
    await signIn.endedWays.end(tx, 'mailbox', { account: { ...former, id: userId }, principal });
    await recordUserUpdated(tx);
    await recordOwnAudit(tx, { action: 'email.changed', client });
  }

  /** On another device than the one that signed up it undoes everything; the holder of the link chooses a password then. */
  async #confirm({ email, ...key }: RecognizedToken, client: Client): Promise<Omit<Verified, 'email'>> {
    const { mail, database, signIn } = this.#dependencies;
    const { userId } = key;
    const account = await mail.addressees.findByEmail(database.unscoped, email);
    if (account?.userId !== userId) throw invalidToken();
    return withoutSession('mailed token', database.within({ userId }), async (tx) => {
      const redeem = () => mail.mailedTokens.redeem(tx, key);
      const proof = { account, client, redeem, by: 'link', recognizesUnnamed: true } as const;
      const outcome = await signIn.firstProofs.record(tx, proof);
      if (outcome === 'gone') throw invalidToken();
      await mail.mailedTokens.revoke(tx, 'email-verification');
      if (outcome !== 'proven-before') await recordOwnAudit(tx, { action: 'email.verified', client });
      if (typeof outcome === 'string' || !needsPassword(outcome)) return {};
      return { resetToken: await mail.mailedTokens.issue(tx, { purpose: 'password-reset', userId, email }) };
    });
  }

  async #move({ email, ...key }: RecognizedToken, principal: Principal, client: Client): Promise<void> {
    const { mail, sessions } = this.#dependencies;
    if (principal.user.id !== key.userId) throw otherAccount();
    await sessions.callers.ownAccount(principal, async (tx, account) => {
      await mail.mailedTokens.redeem(tx, key);
      await this.#moveTo(tx, { email, former: account, principal, client });
    });
  }

  /** Notifies the current address first: otherwise the change does not start. */
  async #beginMove(tx: UserTransaction, account: Addressee, email: string): Promise<void> {
    const { mail } = this.#dependencies;
    const { userId } = account;
    await mail.mailedTokens.revoke(tx, 'email-change');
    if (account.email === email) return;
    if (!(await mail.outbox.notify(tx, account, 'email-change-requested', { newEmail: email }))) return;
    const { name, verified } = account;
    const data = async () => ({
      token: await mail.mailedTokens.issue(tx, { purpose: 'email-change', userId, email }),
      account: verified ? { name, email: account.email } : null,
    });
    const letter = { to: email, template: 'confirm-new-address', data, cause: { userId } } as const;
    if (await this.#repository.isTaken(tx, email)) await mail.outbox.count(tx, letter);
    else await mail.outbox.enqueue(tx, { ...letter, inLanguageOf: userId });
  }
}

const needsPassword = ({ scope, passwordRemoved }: Undone): boolean =>
  scope === 'everything' || passwordRemoved;
