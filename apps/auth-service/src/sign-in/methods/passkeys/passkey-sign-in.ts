import { withoutSession } from '../../../database.ts';
import { boundDevice, type Client, type Ground } from '../../../ground/index.ts';
import type { Mail } from '../../../mail/index.ts';
import type { Method, Proof } from '../../proof.ts';
import type { SignInLimits } from '../../sign-in-limits.ts';
import type { PasskeyAnswer, PasskeyAnswers } from './passkey-answers.ts';
import type { ChallengeUse } from './passkey-challenges.ts';
import { passkeyRefused, userNotVerified } from './passkeys.errors.ts';
import { lacksVerification, userOf, type Assertion } from './relying-party.ts';

/** The response of an authenticator at sign-in, with the token of its options. */
interface PasskeyClaim {
  readonly token: string;
  readonly response: Assertion;
  readonly client: Client;
}

interface PasskeySignInDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly answers: PasskeyAnswers;
  readonly signInLimits: Pick<SignInLimits, 'prove'>;
  readonly mail: Pick<Mail, 'addressees'>;
}

/**
 * Signing in with a passkey, which is two factors by itself: the device, and the finger, face or PIN that it asks for. Any
 * passkey of the domain may respond, so no list of passkeys can be enumerated; the response names its user.
 */
export class PasskeySignIn implements Method<PasskeyClaim> {
  readonly #dependencies: PasskeySignInDependencies;

  constructor(dependencies: PasskeySignInDependencies) {
    this.#dependencies = dependencies;
  }

  /** The options with which a sign-in page requests a passkey. @throws NOT_FOUND */
  options(client: Client) {
    const { answers } = this.#dependencies;
    const token = answers.challenges.make(signInBy(client));
    return { token, options: answers.requireParty().requestOptions(token) };
  }

  /** @throws NOT_FOUND; INVALID_PASSKEY; RATE_LIMITED */
  async prove(claim: PasskeyClaim): Promise<Proof> {
    const { answers, signInLimits } = this.#dependencies;
    answers.requireParty();
    const userId = userOf(claim.response.response.userHandle);
    const of = userId === undefined ? undefined : { userId };
    return signInLimits.prove({ of, client: claim.client }, () => this.#prove(claim));
  }

  async #prove({ token, response, client }: PasskeyClaim): Promise<Proof> {
    const { answers, database } = this.#dependencies;
    const userId = userOf(response.response.userHandle);
    if (userId === undefined) throw passkeyRefused();
    const isExpected = (challenge: string) =>
      challenge === token && answers.challenges.isGood(challenge, signInBy(client));
    const answer = await answers.read(database.within({ userId }), response, isExpected);
    if (!answer) throw lacksVerification(response) ? userNotVerified(401) : passkeyRefused();
    if (answer.isCopy) return this.#refuseCopy(userId, answer, client);
    return {
      userId,
      amr: ['pop', 'mfa'],
      acr: 'aal2',
      requireValid: async (tx) => {
        if (!(await answers.accept(tx, answer))) throw passkeyRefused();
      },
    };
  }

  async #refuseCopy(userId: string, answer: PasskeyAnswer, client: Client): Promise<never> {
    const { answers, database, mail, now } = this.#dependencies;
    await withoutSession('defence', database.within({ userId }), async (tx) => {
      const account = await mail.addressees.lockForUpdate(tx, { userId, at: now() });
      if (account) await answers.reportCopy(tx, answer, { account, client });
    });
    throw passkeyRefused();
  }
}

const signInBy = (client: Client): ChallengeUse => ({ purpose: 'sign-in', subject: boundDevice(client) });
