import type { Transaction } from '../../database.ts';
import { locatedTokens, type LocatedToken } from '../../ground/secrets/located-tokens.ts';
import type { Client } from '../../ground/callers/client.ts';
import type { ChallengesRepository, OpenChallenge } from './challenges.repository.ts';
import { isEnabled, type Authenticator, type SecondFactorMethod } from './second-factor.ts';
import type { TwoFactorRepository } from './two-factor.repository.ts';

/** What a sign-in gets in place of a session: it is finished with a second factor. */
export interface Challenge {
  readonly token: string;
  readonly expiresAt: Date;
  /** What can finish it. */
  readonly methods: readonly SecondFactorMethod[];
}

/** A challenge that somebody comes back with. */
export interface ChallengeClaim {
  readonly token: LocatedToken;
  readonly client: Client;
}

/** What the use cases of challenges need. */
export interface ChallengesDependencies {
  readonly repository: ChallengesRepository;
  readonly twoFactor: Pick<TwoFactorRepository, 'hold'>;
  /** Digest of a client's device and address, salted with an id. */
  readonly bind: (id: string, client: Client) => string;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The way from a right password to a session, for whoever has a second factor. */
export interface Challenges {
  /**
   * Opens one for the transaction's user, to be finished by the same client; `undefined` for a user without a
   * second factor, who gets none before the transaction ends.
   */
  openIfRequired(tx: Transaction, client: Client): Promise<Challenge | undefined>;
  /** The open challenge of the transaction's user; `undefined` whatever is wrong with the claim. */
  find(tx: Transaction, claim: ChallengeClaim): Promise<OpenChallenge | undefined>;
  /** Counts a wrong code, and says whether it was the last that the challenge takes. */
  countFailure(tx: Transaction, challenge: OpenChallenge): Promise<{ ended: boolean }>;
  /** Ends one: it works once. */
  close(tx: Transaction, challenge: OpenChallenge): Promise<void>;
  /** Ends all of the transaction's user: the password that opened them is another now. */
  closeAll(tx: Transaction): Promise<void>;
}

/** What a challenge's token looks like: it names the user and the challenge. */
export const challengeTokens = locatedTokens('tct_');

const lifetimeMs = 5 * 60 * 1_000;
const failuresMax = 5;
/** Of one user at once; a further one ends the oldest. */
const openMax = 20;

/** Makes the use cases of challenges. */
export function createChallenges(dependencies: ChallengesDependencies): Challenges {
  const { repository, twoFactor, bind, now, newId } = dependencies;

  return {
    async openIfRequired(tx, client) {
      const account = await twoFactor.hold(tx);
      if (!isEnabled(account)) return undefined;

      const at = now();
      const id = newId();
      const { token, digest: tokenHash } = challengeTokens.make({ ownerId: account.id, id });
      const expiresAt = new Date(at.getTime() + lifetimeMs);
      await repository.makeRoom(tx, { keep: openMax - 1, at });
      await repository.insert(tx, { id, tokenHash, binding: bind(id, client), createdAt: at, expiresAt });
      return { token, expiresAt, methods: methodsOf(account.authenticator) };
    },

    find: (tx, { token: { id, digest }, client }) =>
      repository.find(tx, { id, hash: digest, binding: bind(id, client), at: now() }),

    async countFailure(tx, { id, failures }) {
      const ended = failures + 1 >= failuresMax;
      await (ended ? repository.remove(tx, id) : repository.recordFailure(tx, id));
      return { ended };
    },

    close: (tx, { id }) => repository.remove(tx, id),
    closeAll: (tx) => repository.makeRoom(tx, { keep: 0, at: now() }),
  };
}

function methodsOf({ backupCodesLeft }: Authenticator): SecondFactorMethod[] {
  return backupCodesLeft > 0 ? ['totp', 'backup-code'] : ['totp'];
}
