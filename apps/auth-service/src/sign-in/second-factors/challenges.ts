import { LocatedTokens, type LocatedToken } from '@tenantry/service/tokens';
import type { Rows, Transaction } from '../../database.ts';
import type { Client, Ground } from '../../ground/index.ts';
import type { ConfinedStart } from '../../sessions/index.ts';
import { bindToDevice } from '../device-binding.ts';
import type { PasskeyFactor } from '../methods/passkeys/passkey-factor.ts';
import { ChallengesRepository, type OpenChallenge } from './challenges.repository.ts';
import { isEnabled, methodsWith, setUpMethodOf, type SecondFactorMethod } from './second-factor.ts';
import { SecondFactorsRepository } from './second-factors.repository.ts';

/** The result of a sign-in instead of a session: a second factor completes it. */
export interface Challenge {
  readonly token: string;
  readonly expiresAt: Date;
  /** What can finish it. */
  readonly methods: readonly SecondFactorMethod[];
}

/** How a user has authenticated before the second factor. */
interface ProvenFirst {
  readonly amr: readonly string[];
  readonly client: Client;
  /** The sign-in at a provider that the session uses. */
  readonly flowId: string | null;
  /** What the session is to be confined to. */
  readonly confinement: ConfinedStart | null;
}

export type { OpenChallenge } from './challenges.repository.ts';

/** A presented challenge. */
export interface ChallengeClaim {
  readonly token: LocatedToken;
  readonly client: Client;
}

interface ChallengesDependencies extends Pick<Ground, 'database' | 'now' | 'newId'> {
  readonly passkeyFactor: Pick<PasskeyFactor, 'isHeld'>;
}

/** What a challenge's token looks like: it names the user and the challenge. */
export const challengeTokens = new LocatedTokens('tct_');

const lifetimeMs = 5 * 60 * 1_000;
const failuresMax = 5;
/** Of one user at once; a further one evicts the oldest. */
const openMax = 20;

/** Challenges between proof and session, for users who have a second factor. */
export class Challenges {
  readonly #dependencies: ChallengesDependencies;
  readonly #repository = new ChallengesRepository();
  readonly #secondFactors = new SecondFactorsRepository();

  constructor(dependencies: ChallengesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Opens one for the transaction's user, to be finished on the same device; undefined for a user without a second factor, who
   * cannot set one up before the transaction ends.
   */
  async openIfRequired(
    tx: Transaction,
    { amr, client, flowId, confinement }: ProvenFirst,
  ): Promise<Challenge | undefined> {
    const { passkeyFactor, now, newId } = this.#dependencies;
    const account = await this.#secondFactors.lockForUpdate(tx);
    if (!isEnabled(account)) return undefined;

    const createdAt = now();
    const endsAt = new Date(createdAt.getTime() + lifetimeMs);
    const expiresAt = confinement?.endsAt && confinement.endsAt < endsAt ? confinement.endsAt : endsAt;
    const id = newId();
    const { token, digest: tokenHash } = challengeTokens.make({ ownerId: account.id, id });
    const confinedTo = confinement?.organizationId ?? null;
    await this.#repository.evictOldest(tx, { keep: openMax - 1, at: createdAt, confinedTo });
    const binding = bindToDevice(id, client);
    const proven = { amr, flowId, confinement, binding };
    await this.#repository.insert(tx, { id, tokenHash, ...proven, createdAt, expiresAt });
    const { authenticator } = account;
    const methods = methodsWith({
      hasPasskey: await passkeyFactor.isHeld(tx),
      hasApp: setUpMethodOf(authenticator) === 'totp',
      backupCodesLeft: authenticator.backupCodesLeft,
    });
    return { token, expiresAt, methods };
  }

  /** The open challenge of the scope's user; undefined for any invalid claim. */
  find(rows: Rows, { token: { id, digest }, client }: ChallengeClaim): Promise<OpenChallenge | undefined> {
    const binding = bindToDevice(id, client);
    return this.#repository.find(rows, { id, hash: digest, binding, at: this.#dependencies.now() });
  }

  /** Counts a wrong code. @returns whether it was the last that the challenge takes */
  async countFailure(tx: Transaction, { id, failures }: OpenChallenge): Promise<{ ended: boolean }> {
    const ended = failures + 1 >= failuresMax;
    await (ended ? this.#repository.remove(tx, id) : this.#repository.recordFailure(tx, id));
    return { ended };
  }

  /** Ends one: it works once. */
  close(tx: Transaction, { id }: OpenChallenge): Promise<void> {
    return this.#repository.remove(tx, id);
  }
}
