import type { ApiError } from '@tenantry/envelope';
import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import type { LocatedToken } from '@tenantry/service/tokens';
import { withoutSession, type UserTransaction } from '../../database.ts';
import type { Client, Ground } from '../../ground/index.ts';
import {
  isWhole,
  wholeRenewal,
  type ConfinedStart,
  type IssuedSession,
  type OwnedSession,
  type Principal,
  type Renewal,
  type Sessions,
} from '../../sessions/index.ts';
import type { ChallengeClaim, Challenges, OpenChallenge } from '../second-factors/challenges.ts';
import { committing, type Judge } from '../second-factors/judging.ts';
import type { Notices, Occasion } from '../second-factors/notices.ts';
import {
  isEnabled,
  isPending,
  setUpMethodOf,
  withSecondFactor,
  type Account,
  type CodeProof,
  type JudgedAccount,
  type SecondFactorProof,
} from '../second-factors/second-factor.ts';
import type { PasskeyFactor } from '../methods/passkeys/passkey-factor.ts';
import type { Passwords } from '../methods/passwords/passwords.ts';
import { isOnItsDevice } from '../step-up/confirm-owner.ts';
import { signInRequired } from '../step-up/step-up.errors.ts';
import type { WaysIn } from '../ways-in/ways-in.ts';
import {
  invalidChallenge,
  invalidCode,
  twoFactorNotEnabled,
} from '../second-factors/second-factors.errors.ts';
import type { SecondFactors } from '../second-factors/second-factors.ts';

/** A proof and the client that gives it. */
export interface Claim {
  readonly proof: SecondFactorProof;
  readonly client: Client;
}

/** The authentication of a user who has completed a challenge. */
interface Finished {
  readonly amr: readonly string[];
  readonly acr: AuthenticationLevel;
  /** The sign-in at a provider that the session uses. */
  readonly flowId: string | null;
  /** What the session is to be confined to. */
  readonly confinement: ConfinedStart | undefined;
}

interface VerificationDependencies extends Pick<Ground, 'database' | 'now'> {
  readonly challenges: Challenges;
  readonly secondFactors: Pick<SecondFactors, 'lock' | 'turnOn'>;
  readonly passkeyFactor: Pick<PasskeyFactor, 'options'>;
  readonly passwords: Pick<Passwords, 'isUsable'>;
  readonly waysIn: Pick<WaysIn, 'methodsOf'>;
  readonly judge: Judge;
  readonly notices: Notices;
  readonly sessions: Pick<Sessions, 'callers' | 'endings' | 'pending' | 'starts' | 'tokens'>;
}

/** Verifies second factors. */
export class Verification {
  readonly #dependencies: VerificationDependencies;

  constructor(dependencies: VerificationDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Finishes a challenge, in a transaction of its user.
   *
   * @returns how the user has authenticated by now, or a refusal: commit either, so that wrong codes stay counted
   */
  async finish(
    tx: UserTransaction,
    { token, proof, client }: Claim & { readonly token: LocatedToken },
  ): Promise<Finished | ApiError> {
    const { challenges, secondFactors, judge, notices } = this.#dependencies;
    const account = await secondFactors.lock(tx);
    const challenge = await challenges.find(tx, { token, client });
    if (!isEnabled(account) || !challenge) return invalidChallenge();

    const verdict = await judge.verdictOn(tx, account, proof);
    await notices.judged(tx, { account, client, confinedTo: challenge.confinedTo }, verdict);
    if (verdict.accepted) {
      await challenges.close(tx, challenge);
      const { amr, flowId } = challenge;
      const confinement = confinedStartOf(challenge);
      return { amr: withSecondFactor(amr, verdict.factor), acr: 'aal2', flowId, confinement };
    }
    if (!verdict.counted) return verdict.refusal;
    const { ended } = await challenges.countFailure(tx, challenge);
    return ended ? invalidCode({ endsChallenge: true }) : verdict.refusal;
  }

  /** Judges a code of a session's user; a wrong one stays counted. */
  async confirm(
    { userId, confinedTo }: Pick<OwnedSession, 'confinedTo'> & { readonly userId: string },
    { proof, client }: Claim & { readonly proof: CodeProof },
  ): Promise<void> {
    const { database, secondFactors, judge, notices } = this.#dependencies;
    const confirming = withoutSession('refresh', database.within({ userId }), async (tx) => {
      const account = await secondFactors.lock(tx);
      if (!isEnabled(account)) return twoFactorNotEnabled();
      const verdict = await judge.verdictOn(tx, account, proof);
      await notices.judged(tx, { account, client, confinedTo }, verdict);
      return verdict.accepted ? verdict : verdict.refusal;
    });
    await committing(confirming);
  }

  /** The options to complete a challenge with a passkey. @throws INVALID_CHALLENGE; NOT_FOUND; PASSKEY_REQUIRED */
  async passkeyOptionsOf(claim: ChallengeClaim): ReturnType<PasskeyFactor['options']> {
    const { database, challenges, passkeyFactor } = this.#dependencies;
    const { ownerId: userId, id: askedBy } = claim.token;
    const rows = database.within({ userId });
    if (!(await challenges.find(rows, claim))) throw invalidChallenge();
    return passkeyFactor.options(rows, { userId, askedBy });
  }

  /** The same for {@link verify}. @throws NOT_FOUND; PASSKEY_REQUIRED */
  passkeyOptions({ user, session }: Principal): ReturnType<PasskeyFactor['options']> {
    const { database, passkeyFactor } = this.#dependencies;
    const { id: userId } = user;
    return passkeyFactor.options(database.within({ userId }), { userId, askedBy: session.id });
  }

  /**
   * Confirms a set-up that this session began, or steps the session up: either way it continues under a new id. RFC 9470. A
   * set-up that began with the password renews it fully. Without one, only the refresh token does, and whoever does not show
   * it must be on the session's device, where the user signed in minutes ago. A confined session confirms no set-up.
   *
   * @throws INSUFFICIENT_USER_AUTHENTICATION; INVALID_CODE; TWO_FACTOR_NOT_ENABLED
   */
  async verify(principal: Principal, claim: Claim & { readonly renewal: Renewal }): Promise<IssuedSession> {
    const { proof, client, renewal: shown } = claim;
    const { database, passwords, waysIn, secondFactors, judge, notices, sessions, now } = this.#dependencies;
    const { user, session } = principal;
    const renewsWholly = isWhole(shown) || (await passwords.isUsable(database.unscoped, user.id));
    const begun = renewsWholly ? wholeRenewal : shown;
    const mayConfirm = renewsWholly || isOnItsDevice(principal, client);
    const verifying = sessions.callers.own(principal, async (tx) => {
      const account = await secondFactors.lock(tx);
      const confirms =
        session.confinement === null &&
        isConfirmable(account, { sessionId: session.id, at: now() }) &&
        proof.method === setUpMethodOf(account.authenticator);
      if (!isEnabled(account) && !confirms) return twoFactorNotEnabled();
      if (confirms && !mayConfirm) return { stepped: undefined, renewal: shown };

      const verdict = await judge.verdictOn(tx, account, proof);
      const confinedTo = session.confinement?.organizationId ?? null;
      const occasion = { account, client, confinedTo };
      await notices.judged(tx, occasion, verdict);
      if (!verdict.accepted) return verdict.refusal;
      if (confirms) await this.#confirm(tx, principal, occasion);
      const renewal = confirms ? begun : shown;
      const amr = (formerly: readonly string[]) => withSecondFactor(formerly, verdict.factor);
      const step = { client, amr, acr: 'aal2', renewal } as const;
      return { stepped: await sessions.starts.stepUp(tx, principal, step), renewal };
    });
    const { stepped, renewal } = await committing(verifying);
    if (!stepped) throw signInRequired(await waysIn.methodsOf(user.id));
    return sessions.tokens.issue(stepped, renewal);
  }

  /** Sessions that began without a second factor end, so that a token without one means a user without one. */
  async #confirm(tx: UserTransaction, principal: Principal, occasion: Occasion): Promise<void> {
    const { secondFactors, notices, sessions } = this.#dependencies;
    await secondFactors.turnOn(tx);
    await sessions.endings.revokeOthers(tx, principal);
    await sessions.pending.withdraw(tx);
    await notices.changed(tx, occasion, 'enabled');
  }
}

function confinedStartOf({ confinedTo, connectionId, endsAt }: OpenChallenge): ConfinedStart | undefined {
  if (confinedTo === null || connectionId === null) return undefined;
  return { organizationId: confinedTo, connectionId, endsAt };
}

function isConfirmable(
  account: Account | undefined,
  by: { readonly sessionId: string; readonly at: Date },
): account is JudgedAccount {
  return account?.authenticator !== undefined && isPending(account.authenticator, by);
}
