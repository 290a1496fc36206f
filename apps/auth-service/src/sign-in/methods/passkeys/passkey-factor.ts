import type { Rows, Transaction } from '../../../database.ts';
import type { PasskeyAnswer, PasskeyAnswers } from './passkey-answers.ts';
import type { ChallengeUse } from './passkey-challenges.ts';
import { passkeyMissing } from './passkeys.errors.ts';
import { userOf, type Assertion } from './relying-party.ts';

/** The response of an authenticator as a second factor. */
interface PasskeyFactorClaim {
  readonly userId: string;
  readonly response: Assertion;
  /** The id of the sign-in challenge, or of the session, that requested it. */
  readonly askedBy: string;
}

/**
 * Passkeys as a second factor: the user is already known, and a response is valid only for the sign-in or session that
 * requested it. It cannot be guessed, so wrong responses are not counted, and locked codes do not lock passkeys.
 */
export class PasskeyFactor {
  readonly #answers: PasskeyAnswers;

  constructor({ answers }: { readonly answers: PasskeyAnswers }) {
    this.#answers = answers;
  }

  /** Whether the scope's user has one. */
  async isHeld(rows: Rows): Promise<boolean> {
    return (await this.#answers.list(rows)).length > 0;
  }

  /** The options with which the user's browser requests one of them. @throws NOT_FOUND; PASSKEY_REQUIRED */
  async options(rows: Rows, { userId, askedBy }: Omit<PasskeyFactorClaim, 'response'>) {
    const party = this.#answers.requireParty();
    const passkeys = await this.#answers.list(rows);
    if (passkeys.length === 0) throw passkeyMissing();
    return party.requestOptions(this.#answers.challenges.make(factorOf(userId, askedBy)), passkeys);
  }

  /**
   * Consumes a response, in a transaction that has locked its user.
   *
   * @returns undefined for a valid one; otherwise whether its counter indicates a copied key
   */
  async refusal(
    tx: Transaction,
    { userId, response, askedBy }: PasskeyFactorClaim,
  ): Promise<{ readonly copy?: PasskeyAnswer } | undefined> {
    const { userHandle } = response.response;
    if (userHandle !== undefined && userOf(userHandle) !== userId) return {};
    const isExpected = (challenge: string) =>
      this.#answers.challenges.isGood(challenge, factorOf(userId, askedBy));
    const answer = await this.#answers.read(tx, response, isExpected);
    if (!answer) return {};
    if (answer.isCopy) return { copy: answer };
    return (await this.#answers.accept(tx, answer)) ? undefined : {};
  }
}

const factorOf = (userId: string, askedBy: string): ChallengeUse => ({
  purpose: 'second-factor',
  subject: `${userId}:${askedBy}`,
});
