import type { ApiError } from '@tenantry/envelope';
import { withoutSession, type UserTransaction } from '../database.ts';
import type { Ground } from '../ground/index.ts';
import type { Addressee, Mail } from '../mail/index.ts';
import type { FirstProofs } from './first-proof.ts';
import type { Newcomers, ProvenNewcomer } from './newcomers.ts';

/** A user who has proven access to a mailbox in order to sign in; the account may have to be created. */
interface MailboxClaim extends Omit<ProvenNewcomer, 'isUnproven'> {
  /** The method of the proof. */
  readonly by: 'mailed-code' | 'provider';
  /** The error if the account is disabled or no longer exists. */
  readonly refusal: ApiError;
}

interface MailboxesDependencies extends Pick<Ground, 'database'> {
  readonly firstProofs: FirstProofs;
  readonly mail: Pick<Mail, 'addressees'>;
  readonly newcomers: Pick<Newcomers, 'open'>;
}

/** From a proven mailbox to its account, whichever sign-in method is used. */
export class Mailboxes {
  readonly #dependencies: MailboxesDependencies;

  constructor(dependencies: MailboxesDependencies) {
    this.#dependencies = dependencies;
  }

  /** The user of the mailbox, whose account is created or claimed here. */
  async ownerOf(claim: MailboxClaim): Promise<string> {
    const { database, mail, newcomers } = this.#dependencies;
    const find = () => mail.addressees.findByEmail(database.unscoped, claim.email);
    const account = await find();
    if (account) return this.#claim(account, claim);
    const opened = await newcomers.open(claim);
    if (opened !== undefined) return opened;
    // It was created meanwhile, or it is disabled.
    const other = await find();
    if (!other) throw claim.refusal;
    return this.#claim(other, claim);
  }

  /**
   * The first proof of the address, in a transaction of its own: it locks organizations before their members. A proven account
   * is left as it is until the session starts: a second factor may have to come first.
   */
  async #claim(account: Addressee, claim: MailboxClaim): Promise<string> {
    const { userId } = account;
    if (account.verified) return userId;
    const rows = this.#dependencies.database.within({ userId });
    await withoutSession('sign-in', rows, (tx) => this.#prove(tx, account, claim));
    return userId;
  }

  async #prove(tx: UserTransaction, account: Addressee, claim: MailboxClaim): Promise<void> {
    const { client, hold, by, refusal } = claim;
    const proof = { account, client, by, redeem: () => hold(tx) };
    if ((await this.#dependencies.firstProofs.record(tx, proof)) === 'gone') throw refusal;
  }
}
