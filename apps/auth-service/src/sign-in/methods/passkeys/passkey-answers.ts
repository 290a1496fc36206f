import { recordOwnAudit } from '../../../audit/index.ts';
import type { Rows, Transaction } from '../../../database.ts';
import type { Client, Ground } from '../../../ground/index.ts';
import type { Addressee, Mail } from '../../../mail/index.ts';
import type { AddedWays } from '../../ways-in/way-in.ts';
import { hasAdvanced, type Passkey, type PasskeyUse } from './passkey.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';
import { noPasskeys } from './passkeys.errors.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { challengeOf, RelyingParty, type Assertion } from './relying-party.ts';

interface PasskeyAnswersDependencies extends Pick<Ground, 'config' | 'now' | 'origins' | 'secrets'> {
  readonly mail: Pick<Mail, 'outbox'>;
}

/** A valid response of a user's authenticator. */
export interface PasskeyAnswer {
  readonly challenge: string;
  readonly passkey: Passkey;
  readonly use: PasskeyUse;
  /** Its counter went back: the key may have been copied. WebAuthn Level 3, 6.1.1. */
  readonly isCopy: boolean;
}

/** Where a copy was noticed. */
interface CopyOccasion {
  readonly account: Pick<Addressee, 'email' | 'name'>;
  readonly client: Client;
  /** The organization that the session is confined to. */
  readonly confinedTo?: string | null | undefined;
}

/** Verifies the responses of authenticators, for every purpose: each is valid once. */
export class PasskeyAnswers implements AddedWays<Passkey> {
  readonly repository = new PasskeysRepository();
  readonly challenges: PasskeyChallenges;
  /** Undefined if passkeys are not configured. */
  readonly party: RelyingParty | undefined;
  readonly #dependencies: PasskeyAnswersDependencies;

  constructor(dependencies: PasskeyAnswersDependencies) {
    const { PASSKEY_RP_ID: rpId } = dependencies.config;
    this.#dependencies = dependencies;
    this.party = rpId === undefined ? undefined : new RelyingParty(rpId, dependencies.origins);
    this.challenges = new PasskeyChallenges(dependencies);
  }

  /** @throws NOT_FOUND */
  requireParty(): RelyingParty {
    if (!this.party) throw noPasskeys();
    return this.party;
  }

  /** The passkeys of the scope's user that can be used here. */
  async list(rows: Rows): Promise<Passkey[]> {
    return this.party ? this.repository.list(rows, this.party.rpId) : [];
  }

  forget(tx: Transaction, but: string | null): Promise<number> {
    return this.repository.removeAll(tx, but);
  }

  /** @returns undefined unless it is the response of a passkey of the scope's user to an expected challenge */
  async read(
    rows: Rows,
    response: Assertion,
    isExpected: (challenge: string) => boolean,
  ): Promise<PasskeyAnswer | undefined> {
    const party = this.requireParty();
    const challenge = challengeOf(response);
    const passkey = await this.repository.find(rows, party.rpId, Buffer.from(response.id, 'base64url'));
    if (challenge === undefined || !passkey) return undefined;
    const use = await party.readAssertion(response, passkey, isExpected);
    return use && { challenge, passkey, use, isCopy: !hasAdvanced(passkey.counter, use.counter) };
  }

  /** Consumes a response, in the transaction of what it allows. @returns false for all but one use */
  async accept(tx: Transaction, { challenge, passkey, use }: PasskeyAnswer): Promise<boolean> {
    if (!(await this.challenges.use(tx, challenge))) return false;
    return this.repository.use(tx, passkey.id, use, this.#dependencies.now());
  }

  /** Consumes a response whose counter went back, records it and notifies its user, once. */
  async reportCopy(
    tx: Transaction,
    { challenge }: PasskeyAnswer,
    { account, client, confinedTo }: CopyOccasion,
  ): Promise<void> {
    // The same response sent twice does not indicate a copy.
    if (!(await this.challenges.use(tx, challenge))) return;
    await recordOwnAudit(tx, { action: 'passkey.counter-fell', client, confinedTo });
    const { mail } = this.#dependencies;
    await mail.outbox.notify(tx, account, 'way-in-changed', { change: 'passkey-copied' });
  }
}
