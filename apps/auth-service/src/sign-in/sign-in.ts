import { ApiError } from '@tenantry/envelope';
import { withoutSession, type UserTransaction } from '../database.ts';
import type { Client, Ground } from '../ground/index.ts';
import {
  wholeRenewal,
  type Beginning,
  type ConfinedStart,
  type CarriedSession,
  type IssuedSession,
  type Sessions,
  type StartedSession,
} from '../sessions/index.ts';
import type { Lockout } from './lockout/lockout.ts';
import { invalidCredentials } from './sign-in.errors.ts';
import type { SignInIdentities } from './methods/providers/sign-in-identities.ts';
import type { Method, Proof, SignInFlow } from './proof.ts';
import { challengeTokens, type Challenge, type Challenges } from './second-factors/challenges.ts';
import { committing } from './second-factors/judging.ts';
import type { SecondFactorProof } from './second-factors/second-factor.ts';
import { invalidChallenge } from './second-factors/second-factors.errors.ts';
import type { Verification } from './verification/verification.ts';

/** A user whose proof must be followed by a second factor. */
export interface Challenged {
  readonly challenge: Challenge;
}

/** Completes a sign-in that waits for the second factor. */
interface Finish {
  /** Of the challenge. */
  readonly token: string;
  readonly proof: SecondFactorProof;
  readonly client: Client;
  /** The session that the request carries. */
  readonly carried?: CarriedSession | undefined;
}

interface SignInsDependencies extends Pick<Ground, 'database'> {
  readonly lockout: Pick<Lockout, 'rememberDevice'>;
  readonly challenges: Pick<Challenges, 'openIfRequired'>;
  readonly verification: Pick<Verification, 'finish'>;
  readonly signInIdentities: Pick<SignInIdentities, 'keep' | 'settle' | 'settleKept'>;
  readonly sessions: Pick<Sessions, 'starts' | 'tokens'>;
}

/** From a proof to a session. */
export class SignIns {
  readonly #dependencies: SignInsDependencies;

  constructor(dependencies: SignInsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Starts a session for the user whom a method proves, or a challenge if they have a second factor to show. The session that
   * the request carries is continued, unless the new one is confined to an organization.
   *
   * @throws NOT_FOUND, TWO_FACTOR_REQUIRED where a confined session could not enter its organization
   */
  async by<Claim extends { readonly client: Client }>(
    method: Method<Claim>,
    claim: Claim,
    carried?: CarriedSession,
  ): Promise<IssuedSession | Challenged> {
    const { database, sessions } = this.#dependencies;
    const { client } = claim;
    const proof = await method.prove(claim);
    const begun = await withoutSession('sign-in', database.within({ userId: proof.userId }), async (tx) => {
      const { amr, acr, authenticatedAt, confinement } = proof;
      if (confinement) await this.#hold(tx, proof, confinement);
      const challenge = await this.#challenge(tx, proof, client);
      const beginning = { client, amr, acr, authenticatedAt, carried, confinement };
      const started = challenge ?? (await this.begin(tx, beginning));
      if (!confinement) await proof.requireValid(tx);
      await this.#useFlow(tx, proof.flow, { started, client });
      return started;
    });
    return 'challenge' in begun ? begun : sessions.tokens.issue(begun, wholeRenewal);
  }

  /** Finishes a sign-in that waits for the second factor. @throws INVALID_CHALLENGE; INVALID_CODE; ACCOUNT_LOCKED */
  async finish({ token: given, proof, client, carried }: Finish): Promise<IssuedSession> {
    const { database, verification, signInIdentities, sessions } = this.#dependencies;
    const token = challengeTokens.read(given);
    if (!token) throw invalidChallenge();
    const finishing = withoutSession('sign-in', database.within({ userId: token.ownerId }), async (tx) => {
      const finished = await verification.finish(tx, { token, proof, client });
      if (finished instanceof ApiError) return finished;
      const { flowId, ...authentication } = finished;
      const started = await this.begin(tx, { ...authentication, client, carried });
      if (flowId !== null) await signInIdentities.settleKept(tx, flowId, { user: started.user, client });
      return started;
    });
    const started = await committing(finishing);
    return sessions.tokens.issue(started, wholeRenewal);
  }

  /** Starts a session of the transaction's user, whose proof the caller has checked: a sign-up. */
  async begin(tx: UserTransaction, beginning: Beginning): Promise<StartedSession> {
    const { lockout, sessions } = this.#dependencies;
    const started = await sessions.starts.start(tx, beginning);
    // Disabled since the proof.
    if (!started) throw invalidCredentials();
    if (beginning.confinement) return started;
    await lockout.rememberDevice(tx, { email: started.user.email, client: beginning.client });
    return started;
  }

  /** Organizations are locked before users: nothing that decides about the sign-in changes until it is over. */
  async #hold(tx: UserTransaction, proof: Proof, confinement: ConfinedStart): Promise<void> {
    await this.#dependencies.sessions.starts.holdOrganization(tx, confinement);
    await proof.requireValid(tx);
  }

  /** Undefined where no second factor has to follow. */
  async #challenge(
    tx: UserTransaction,
    { acr, amr, flow, confinement }: Proof,
    client: Client,
  ): Promise<Challenged | undefined> {
    if (acr !== 'aal1') return undefined;
    const { challenges } = this.#dependencies;
    const proven = { client, amr, flowId: flow?.id ?? null, confinement: confinement ?? null };
    const challenge = await challenges.openIfRequired(tx, proven);
    return challenge && { challenge };
  }

  async #useFlow(
    tx: UserTransaction,
    flow: SignInFlow | undefined,
    { started, client }: { readonly started: StartedSession | Challenged; readonly client: Client },
  ): Promise<void> {
    const { signInIdentities } = this.#dependencies;
    if (!flow) return;
    if ('challenge' in started) await signInIdentities.keep(tx, flow, started.challenge.expiresAt);
    else await signInIdentities.settle(tx, flow, { user: started.user, client });
  }
}
