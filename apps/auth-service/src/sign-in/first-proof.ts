import { recordOwnAudit } from '../audit/index.ts';
import type { Transaction } from '../database.ts';
import { userActor, type Client, type Ground } from '../ground/index.ts';
import type { Addressee, Mail } from '../mail/index.ts';
import type { Sessions } from '../sessions/index.ts';
import type { Lockout } from './lockout/lockout.ts';
import type { Passwords } from './methods/passwords/passwords.ts';
import type { MailboxOwners, Reclaimed } from './newcomers.ts';
import type { SecondFactors } from './second-factors/second-factors.ts';
import type { WaysIn } from './ways-in/ways-in.ts';

/** What was undone by the first proof of an address. */
export interface Undone extends Reclaimed {
  readonly secondFactorRemoved: boolean;
}

/** A user who has proven access to a mailbox. */
interface MailboxProof {
  readonly account: Addressee;
  readonly client: Client;
  /** Consumes the proof, once the user is locked. */
  readonly redeem: () => Promise<void>;
}

interface FirstProofsDependencies extends Pick<Ground, 'now'> {
  readonly lockout: Pick<Lockout, 'forget' | 'knownDevice'>;
  readonly passwords: Pick<Passwords, 'forget'>;
  readonly secondFactors: Pick<SecondFactors, 'discard'>;
  readonly waysIn: Pick<WaysIn, 'forgetAdded'>;
  readonly sessions: Pick<Sessions, 'endings' | 'pending'>;
  readonly mail: Pick<Mail, 'addressees' | 'mailedTokens'>;
  readonly owners: Pick<MailboxOwners, 'reclaimPersonal'>;
}

/**
 * Proofs of a mailbox. Until the first one, anybody may have created the account and prepared it, so everything that was set up
 * before is undone, whichever sign-in method is used (Sudhodanan and Paverd, "Pre-hijacked accounts", USENIX Security 2022). On
 * a device that has signed in to the account it only confirms.
 */
export class FirstProofs {
  readonly #dependencies: FirstProofsDependencies;

  constructor(dependencies: FirstProofsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Confirms the address, in a transaction of the user that holds no lock yet.
   *
   * @returns what was undone, where it was the first proof; `gone` when the account is disabled or has moved meanwhile
   */
  async record(
    tx: Transaction,
    { account, client, redeem }: MailboxProof,
  ): Promise<Undone | 'confirmed' | 'gone'> {
    const { lockout, mail, owners, now } = this.#dependencies;
    const { userId, email, name } = account;
    const isFirst = !account.verified && !(await lockout.knownDevice(tx, { email, client }));
    // Organizations are locked before their members.
    const context = { actor: userActor({ id: userId, name }), client };
    const reclaimed = isFirst ? await owners.reclaimPersonal(tx, context) : undefined;
    const at = now();
    const locked = await mail.addressees.lockForUpdate(tx, { userId, at });
    if (locked?.email !== email) return 'gone';
    await redeem();
    await mail.addressees.confirm(tx, { userId, at });
    if (!reclaimed) return 'confirmed';
    return { ...reclaimed, secondFactorRemoved: await this.#undo(tx, { account, client }) };
  }

  /** @returns whether a second factor was on */
  async #undo(tx: Transaction, { account, client }: Omit<MailboxProof, 'redeem'>): Promise<boolean> {
    const { lockout, passwords, secondFactors, waysIn, sessions, mail } = this.#dependencies;
    const { userId, email } = account;
    await passwords.forget(tx, userId);
    await waysIn.forgetAdded(tx);
    await sessions.endings.revokeAll(tx, { id: userId });
    await sessions.pending.withdraw(tx);
    await mail.mailedTokens.revoke(tx, 'email-verification');
    await lockout.forget(tx, email);
    const hadSecondFactor = await secondFactors.discard(tx);
    if (hadSecondFactor) await recordOwnAudit(tx, { action: 'two-factor.disabled', client });
    await recordOwnAudit(tx, { action: 'account.claimed', client });
    return hadSecondFactor;
  }
}
