import { recordOwnAudit } from '../../audit/index.ts';
import { withoutSession, type Transaction } from '../../database.ts';
import { clientMark, type Client, type Ground } from '../../ground/index.ts';
import { invalidToken, type Addressee, type Mail } from '../../mail/index.ts';
import {
  wholeRenewal,
  type IssuedSession,
  type Principal,
  type StepUpRequirement,
  type Sessions,
} from '../../sessions/index.ts';
import type { FirstProofs, Undone } from '../first-proof.ts';
import type { Lockout } from '../lockout/lockout.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import type { EndedWays } from '../ways-in/ended-ways.ts';
import type { WaysIn } from '../ways-in/ways-in.ts';

interface PasswordChangesDependencies extends Pick<Ground, 'database' | 'inFixedSteps'> {
  readonly passwords: Passwords;
  readonly lockout: Pick<Lockout, 'clear' | 'knownDevice'>;
  readonly firstProofs: FirstProofs;
  readonly stepUp: StepUpRequirement;
  readonly sessions: Pick<Sessions, 'callers' | 'endings' | 'starts' | 'tokens'>;
  readonly endedWays: Pick<EndedWays, 'end'>;
  readonly waysIn: Pick<WaysIn, 'requireOneLeft'>;
  readonly mail: Pick<Mail, 'addressees' | 'outbox' | 'mailedTokens'>;
}

/** A change of one's own password. */
interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly client: Client;
}

/** A reset by a mailed token. */
interface PasswordReset {
  readonly token: string;
  readonly newPassword: string;
  readonly client: Client;
}

/** A request to reset a forgotten password. */
interface ResetRequest {
  readonly email: string;
  readonly client: Client;
}

/** Changes passwords, and resets them by mail. */
export class PasswordChanges {
  readonly #dependencies: PasswordChangesDependencies;

  constructor(dependencies: PasswordChangesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Sets another password, ends the other sessions, and notifies the user. The session continues under a new id, and all
   * earlier tokens stop working.
   *
   * @throws INVALID_CREDENTIALS; INSUFFICIENT_USER_AUTHENTICATION; VALIDATION_ERROR
   */
  async change(principal: Principal, change: PasswordChange): Promise<IssuedSession> {
    const { currentPassword, newPassword, client } = change;
    const { passwords, stepUp, sessions, endedWays, mail } = this.#dependencies;
    const { user } = principal;
    const { id: userId } = user;
    const sessionId = principal.session.id;
    // The password is required in any case; the second factor, if there is one, also has to be recent.
    await stepUp.require(principal, { concerns: 'others', client });
    const accepted = passwords.accept(newPassword, user, 'newPassword');
    const reason = await passwords.spendInSession({ userId, sessionId, client });
    const current = { password: currentPassword, field: 'currentPassword' };
    const proof = await passwords.confirm({ user, sessionId, ...current, client, reason });
    const prepared = await passwords.prepare(accepted, reason);

    const restarted = await sessions.callers.ownAccount(principal, async (tx, account) => {
      await proof.requireValid(tx);
      await passwords.store(tx, userId, { prepared, setOn: clientMark(userId, client) });
      await sessions.endings.revokeOthers(tx, principal);
      await endedWays.end(tx, 'password', { account: user, principal });
      const session = await sessions.starts.restart(tx, principal, client);
      await mail.outbox.notify(tx, account, 'password-changed', {});
      await recordOwnAudit(tx, { action: 'password.changed', client });
      return session;
    });
    return sessions.tokens.issue(restarted, wholeRenewal);
  }

  /**
   * Deletes the password, if another sign-in method is left, and ends the other sessions that were started with it; does
   * nothing without a password. A reset by mail sets a new one.
   *
   * @throws LAST_WAY_IN; INSUFFICIENT_USER_AUTHENTICATION; INVALID_CREDENTIALS
   */
  async remove(
    principal: Principal,
    { password, client }: { readonly password?: string | undefined; readonly client: Client },
  ): Promise<void> {
    const { passwords, stepUp, sessions, endedWays, waysIn, mail } = this.#dependencies;
    await stepUp.require(principal, { concerns: 'way-in', password, client });
    const { id: userId } = principal.user;
    await sessions.callers.ownAccount(principal, async (tx, account) => {
      if (!(await passwords.forget(tx, userId))) return;
      await waysIn.requireOneLeft(tx);
      await endedWays.end(tx, 'password', { account: principal.user, principal });
      await mail.outbox.notify(tx, account, 'way-in-changed', { change: 'password-removed' });
      await recordOwnAudit(tx, { action: 'password.removed', client });
    });
  }

  /** Mails a token to the account of the address; reveals nothing about whether there is one. */
  requestReset(request: ResetRequest): Promise<void> {
    return this.#dependencies.inFixedSteps(() => this.offerReset(request));
  }

  /** As {@link PasswordChanges.requestReset}, for a caller that hides the time it takes. */
  async offerReset({ email, client }: ResetRequest): Promise<void> {
    const { database, lockout, mail } = this.#dependencies;
    const account = await mail.addressees.findByEmail(database.unscoped, email);
    if (!account) return;
    const { userId, name } = account;
    const cause = { apart: await lockout.knownDevice(database.unscoped, { email, client }) };
    await withoutSession('mailed token', database.within({ userId }), async (tx) => {
      if (!(await mail.addressees.hold(tx, account))) return;
      const issue = () => mail.mailedTokens.issue(tx, { purpose: 'password-reset', userId, email });
      const data = async () => ({ name, token: await issue() });
      await mail.outbox.enqueue(tx, { to: email, template: 'reset-password', data, cause });
    });
  }

  /**
   * Sets a new password by a mailed token, once. It ends all sessions and every lock, starts none, and leaves the
   * second factor as it is, unless this is the first proof that the address is the user's ({@link FirstProofs}).
   *
   * @throws INVALID_TOKEN; VALIDATION_ERROR
   */
  async reset({ token, newPassword, client }: PasswordReset): Promise<void> {
    const { database, passwords, lockout, firstProofs, sessions, endedWays, mail } = this.#dependencies;
    const { email, ...key } = await mail.mailedTokens.recognize(token, ['password-reset']);
    const { userId } = key;
    const account = await mail.addressees.findByEmail(database.unscoped, email);
    // It proves the address that it was sent to, as long as that is the account's.
    if (account?.userId !== userId) throw invalidToken();
    const accepted = passwords.accept(newPassword, account, 'newPassword');
    const reason = await passwords.spendForReset({ userId, client });
    const prepared = await passwords.prepare(accepted, reason);

    await withoutSession('mailed token', database.within({ userId }), async (tx) => {
      const redeem = () => mail.mailedTokens.redeem(tx, key);
      const proven = await firstProofs.record(tx, { account, client, redeem });
      if (proven === 'gone') throw invalidToken();
      await passwords.store(tx, userId, { prepared, setOn: clientMark(userId, client) });
      await mail.mailedTokens.revoke(tx, 'email-verification');
      await lockout.clear(tx, email);
      await sessions.endings.revokeAll(tx, { id: userId });
      await endedWays.end(tx, 'password', { account: { id: userId, email }, client });
      await this.#notify(tx, account, typeof proven === 'string' ? undefined : proven);
      await recordOwnAudit(tx, { action: 'password.reset', client });
    });
  }

  async #notify(tx: Transaction, account: Addressee, undone?: Undone): Promise<void> {
    const { mail } = this.#dependencies;
    if (undone && isWorthTelling(undone))
      await mail.outbox.enqueue(tx, { to: account.email, template: 'account-recovered', data: undone });
    else await mail.outbox.notify(tx, account, 'password-changed', {});
  }
}

/** Whether more was undone than the password and sessions, which every reset ends. */
function isWorthTelling({ waysRemoved, secondFactorRemoved, others, organizations }: Undone): boolean {
  return waysRemoved || secondFactorRemoved || others.length + organizations.length > 0;
}
