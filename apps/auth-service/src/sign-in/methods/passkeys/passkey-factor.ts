import type { Rows, Transaction } from '../../../database.ts';
import type { PasskeyAnswer, PasskeyAnswers } from './passkey-answers.ts';
import type { ChallengeUse } from './passkey-challenges.ts';
import { passkeyMissing } from './passkeys.errors.ts';
import { userOf, type Assertion } from './relying-party.ts';

/** An answer of an authenticator as a second factor. */
export interface PasskeyFactorClaim {
  readonly userId: string;
  readonly response: Assertion;
  /** The challenge of the sign-in, or the session, that it was asked for. */
  readonly askedBy: string;
}

/**
 * Passkeys as a second factor: of a user who is known by then, and for the very sign-in or session that asked. Nothing can be
 * guessed, so a wrong answer is not counted, and codes that are locked lock no passkey.
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

  /** What the user's browser needs to ask for one of them. @throws NOT_FOUND; PASSKEY_REQUIRED */
  async options(rows: Rows, { userId, askedBy }: Omit<PasskeyFactorClaim, 'response'>) {
    const party = this.#answers.requireParty();
    const passkeys = await this.#answers.list(rows);
    if (passkeys.length === 0) throw passkeyMissing();
    return party.requestOptions(this.#answers.challenges.make(factorOf(userId, askedBy)), passkeys);
  }

  /**
   * Uses an answer up, in a transaction that has locked its user.
   *
   * @returns undefined for a right one; else whether the counter of a copy gave it away
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

  /** Records that a key was copied, and tells its user. */
  reportCopy(...copy: Parameters<PasskeyAnswers['reportCopy']>): Promise<void> {
    return this.#answers.reportCopy(...copy);
  }
}

const factorOf = (userId: string, askedBy: string): ChallengeUse => ({
  purpose: 'second-factor',
  subject: `${userId}:${askedBy}`,
});
