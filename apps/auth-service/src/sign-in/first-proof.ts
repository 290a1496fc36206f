import { recordOwnAudit } from '../audit/index.ts';
import type { UserTransaction } from '../database.ts';
import { clientMark, deviceMark, userActor, type Client, type Ground } from '../ground/index.ts';
import type { Addressee, Mail } from '../mail/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { recordRevocation } from '../tokens/index.ts';
import type { Lockout } from './lockout/lockout.ts';
import type { Passwords } from './methods/passwords/passwords.ts';
import type { OrganizationsAtFirstProof, Reclaimed } from './newcomers.ts';
import { codeNames, strongNames } from './second-factors/second-factor.ts';
import type { SecondFactors } from './second-factors/second-factors.ts';
import type { WaysIn } from './ways-in/ways-in.ts';

/** What was undone by the first proof of an address. */
export interface Undone extends Reclaimed {
  /** `everything`, or on the device that signed up only what came from elsewhere. */
  readonly scope: 'everything' | 'from-elsewhere';
  readonly passwordRemoved: boolean;
  /** Passkeys, or accounts at providers. */
  readonly waysRemoved: boolean;
  readonly secondFactorRemoved: boolean;
}

/** The result of a proof; `gone` when the account is disabled or has moved meanwhile. */
type Outcome = Undone | 'nothing-undone' | 'proven-before' | 'gone';

/** A user who has proven access to a mailbox. */
interface MailboxProof {
  readonly account: Addressee;
  readonly client: Client;
  /** How, for the letter about what was undone; a reset of the password has a letter of its own. */
  readonly by?: 'mailed-code' | 'provider' | 'link' | 'invitation' | undefined;
  /**
   * Whether a client that does not name its device counts as the one that signed up, by its User-Agent and address: it keeps its
   * password and sessions then, which a later reset ends, and nothing else.
   */
  readonly recognizesUnnamed?: boolean;
  /** The session in which the proof is given, which goes on. */
  readonly sessionId?: string | null;
  /** Consumes the proof, once the user is locked. */
  readonly redeem: () => Promise<void>;
}

interface FirstProofsDependencies extends Pick<Ground, 'now'> {
  readonly lockout: Pick<Lockout, 'forget' | 'rememberDevice'>;
  readonly passwords: Pick<Passwords, 'forget'>;
  readonly secondFactors: Pick<SecondFactors, 'discard'>;
  readonly waysIn: Pick<WaysIn, 'forgetAdded'>;
  readonly sessions: Pick<Sessions, 'endings' | 'pending'>;
  readonly mail: Pick<Mail, 'addressees' | 'mailedTokens' | 'outbox'>;
  readonly organizations: OrganizationsAtFirstProof;
}

/** What stays; null for nothing. */
interface Marks {
  /** The mark of who set the password. */
  readonly password: string | null;
  /** The mark of who added anything else. */
  readonly added: string | null;
}

const nothingElsewhere: Reclaimed = { others: [], organizations: [] };

/**
 * Proofs of a mailbox: every proof of an address goes through here. Until the first one, anybody may have created the account
 * and prepared it, so everything that was set up before is undone, however the mailbox is proven (Sudhodanan and Paverd,
 * "Pre-hijacked accounts", USENIX Security 2022). On the device that signed up only what comes from other devices is undone;
 * an account that an organization made has no such device. One that an organization has disabled is returned to its user.
 */
export class FirstProofs {
  readonly #dependencies: FirstProofsDependencies;

  constructor(dependencies: FirstProofsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Confirms the address, in a transaction of the user that holds no lock yet. */
  async record(tx: UserTransaction, proof: MailboxProof): Promise<Outcome> {
    const { mail, organizations, now } = this.#dependencies;
    const { account, client, by, redeem } = proof;
    const { userId, email, name } = account;
    const isOwnDevice = hasSignedUp(proof);
    // Organizations are locked before their members.
    const context = { actor: userActor({ id: userId, name }), client };
    if (account.disabledBy !== null) await organizations.returnAccount(tx, context, account.disabledBy);
    const reclaimed =
      account.verified || isOwnDevice ? nothingElsewhere : await organizations.reclaimPersonal(tx, context);
    const at = now();
    const locked = await mail.addressees.lockForUpdate(tx, { userId, at });
    if (locked?.email !== email || locked.disabledBy !== null) return 'gone';
    await redeem();
    if (!(await mail.addressees.confirm(tx, { userId, at }))) return 'proven-before';
    const undone = isOwnDevice
      ? await this.#undoOthers(tx, proof)
      : { ...(await this.#undoAll(tx, proof)), ...reclaimed };
    if (!undone) return 'nothing-undone';
    await recordOwnAudit(tx, { action: 'account.claimed', client });
    if (by) {
      const data = { by, ...undone };
      await mail.outbox.enqueue(tx, { to: email, template: 'account-recovered', data });
    }
    return undone;
  }

  async #undoAll(tx: UserTransaction, proof: MailboxProof): Promise<Omit<Undone, keyof Reclaimed>> {
    const { account, sessionId = null } = proof;
    const { lockout, sessions } = this.#dependencies;
    const { userId: id, email } = account;
    const removed = await this.#removeAllBut(tx, proof, { password: null, added: null });
    if (sessionId === null) await sessions.endings.revokeAll(tx, { id });
    else await sessions.endings.revokeAllBut(tx, { id }, { sessionId });
    await lockout.forget(tx, email);
    return { scope: 'everything', ...removed };
  }

  /** @returns undefined where there was nothing of others */
  async #undoOthers(tx: UserTransaction, proof: MailboxProof): Promise<Undone | undefined> {
    const { account, client } = proof;
    const { lockout, sessions } = this.#dependencies;
    const { userId: id, email } = account;
    // Of a client that does not name its device, everything but the password may be another's.
    const own = { password: clientMark(id, client), added: deviceMark(id, client) };
    const removed = await this.#removeAllBut(tx, proof, own);
    const ended = await sessions.endings.revokeAllBut(tx, { id }, { client });
    await lockout.forget(tx, email);
    await lockout.rememberDevice(tx, { email, client });
    if (ended === 0 && !Object.values(removed).includes(true)) return undefined;
    return { scope: 'from-elsewhere', ...removed, ...nothingElsewhere };
  }

  /** Removes what is not marked as one's own, and withdraws whatever is pending. */
  async #removeAllBut(
    tx: UserTransaction,
    { account, client }: MailboxProof,
    { password, added }: Marks,
  ): Promise<Pick<Undone, 'passwordRemoved' | 'waysRemoved' | 'secondFactorRemoved'>> {
    const { passwords, secondFactors, waysIn, sessions, mail, now } = this.#dependencies;
    const { userId } = account;
    const passwordRemoved = await passwords.forget(tx, userId, password);
    const { passkeys, identities } = await waysIn.forgetAdded(tx, added);
    const secondFactorRemoved = await secondFactors.discard(tx, added);
    await sessions.pending.withdraw(tx);
    await mail.mailedTokens.revoke(tx, 'email-verification');
    // Tokens and sessions that go on must not claim a factor that is gone.
    const gone = [...(secondFactorRemoved ? codeNames : []), ...(passkeys > 0 ? ['pop', 'mfa'] : [])];
    if (gone.length > 0) {
      await sessions.endings.withdrawFactors(tx, { userId, factors: gone, secondFactors: strongNames });
      await recordRevocation(tx, { kind: 'user', userId, at: now() });
    }
    if (secondFactorRemoved) {
      await recordOwnAudit(tx, { action: 'two-factor.disabled', client });
    }
    return { passwordRemoved, waysRemoved: passkeys + identities > 0, secondFactorRemoved };
  }
}

/** Whether a proof comes from the client that signed up. */
function hasSignedUp({ account, client, recognizesUnnamed = false }: MailboxProof): boolean {
  const { userId, createdOn } = account;
  const mark = recognizesUnnamed ? clientMark(userId, client) : deviceMark(userId, client);
  return createdOn !== null && createdOn === mark;
}
