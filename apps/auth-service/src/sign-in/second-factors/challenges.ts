import { locatedTokens, type LocatedToken } from '@tenantry/service-kit/tokens';
import type { Rows, Transaction } from '../../database.ts';
import type { Client, Ground } from '../../ground/index.ts';
import { bindToDevice } from '../device-binding.ts';
import type { PasskeyFactor } from '../methods/passkeys/passkey-factor.ts';
import { createChallengesRepository, type OpenChallenge } from './challenges.repository.ts';
import { isEnabled, methodsWith, setUpMethodOf, type SecondFactorMethod } from './second-factor.ts';
import type { SecondFactorsRepository } from './second-factors.repository.ts';

/** What a sign-in gets in place of a session: it is finished with a second factor. */
export interface Challenge {
  readonly token: string;
  readonly expiresAt: Date;
  /** What can finish it. */
  readonly methods: readonly SecondFactorMethod[];
}

/** A challenge that a client comes back with. */
export interface ChallengeClaim {
  readonly token: LocatedToken;
  readonly client: Client;
}

/** What the use cases of challenges need. */
export interface ChallengesDependencies extends Pick<Ground, 'database' | 'now' | 'newId'> {
  readonly repository: Pick<SecondFactorsRepository, 'lockForUpdate'>;
  readonly passkeyFactor: Pick<PasskeyFactor, 'isHeld'>;
}

/** The way from a proof to a session, for a user who has a second factor. */
export interface Challenges {
  /**
   * Opens one for the transaction's user, to be finished on the same device; undefined for a user without a second
   * factor, who gets none before the transaction ends.
   */
  openIfRequired(
    tx: Transaction,
    proven: { readonly amr: readonly string[]; readonly client: Client },
  ): Promise<Challenge | undefined>;
  /** The open challenge of the scope's user; undefined whatever is wrong with the claim. */
  find(rows: Rows, claim: ChallengeClaim): Promise<OpenChallenge | undefined>;
  /** Counts a wrong code. @returns whether it was the last that the challenge takes */
  countFailure(tx: Transaction, challenge: OpenChallenge): Promise<{ ended: boolean }>;
  /** Ends one: it works once. */
  close(tx: Transaction, challenge: OpenChallenge): Promise<void>;
  /** Deletes a batch of those that are over, of all users. */
  readonly sweep: () => Promise<boolean>;
}

/** What a challenge's token looks like: it names the user and the challenge. */
export const challengeTokens = locatedTokens('tct_');

const lifetimeMs = 5 * 60 * 1_000;
const failuresMax = 5;
/** Of one user at once; a further one evicts the oldest. */
const openMax = 20;

export function createChallenges(dependencies: ChallengesDependencies): Challenges {
  const { database, repository: secondFactors, passkeyFactor, now, newId } = dependencies;
  const repository = createChallengesRepository();

  return {
    async openIfRequired(tx, { amr, client }) {
      const account = await secondFactors.lockForUpdate(tx);
      if (!isEnabled(account)) return undefined;

      const createdAt = now();
      const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
      const id = newId();
      const { token, digest: tokenHash } = challengeTokens.make({ ownerId: account.id, id });
      await repository.evictOldest(tx, { keep: openMax - 1, at: createdAt });
      await repository.insert(tx, {
        id,
        tokenHash,
        amr,
        binding: bindToDevice(id, client),
        createdAt,
        expiresAt,
      });
      const { authenticator } = account;
      const methods = methodsWith({
        hasPasskey: await passkeyFactor.isHeld(tx),
        hasApp: setUpMethodOf(authenticator) === 'totp',
        backupCodesLeft: authenticator.backupCodesLeft,
      });
      return { token, expiresAt, methods };
    },

    find: (rows, { token: { id, digest }, client }) =>
      repository.find(rows, { id, hash: digest, binding: bindToDevice(id, client), at: now() }),

    async countFailure(tx, { id, failures }) {
      const ended = failures + 1 >= failuresMax;
      await (ended ? repository.remove(tx, id) : repository.recordFailure(tx, id));
      return { ended };
    },

    close: (tx, { id }) => repository.remove(tx, id),
    sweep: () => repository.sweep(database.unscoped),
  };
}
