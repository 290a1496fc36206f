import { statement } from '@tenantry/tenancy';
import type { Transaction } from '../../database.ts';

/** A sign-in that waits for the second factor. */
export interface OpenChallenge {
  readonly id: string;
  /** Wrong codes given to it. */
  readonly failures: number;
}

/** A challenge about to be opened. */
export interface NewChallenge {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly binding: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** What a challenge is found by; every part must be the one of when it was opened. */
export interface ChallengeKey {
  readonly id: string;
  readonly hash: Buffer;
  readonly binding: string;
  readonly at: Date;
}

/** Where challenges are kept; the user of each query is the one of its transaction. */
export interface ChallengesRepository {
  /** Forgets what has expired, and the oldest beyond `keep`. */
  makeRoom(tx: Transaction, room: { readonly keep: number; readonly at: Date }): Promise<void>;
  insert(tx: Transaction, challenge: NewChallenge): Promise<void>;
  find(tx: Transaction, key: ChallengeKey): Promise<OpenChallenge | undefined>;
  recordFailure(tx: Transaction, id: string): Promise<void>;
  remove(tx: Transaction, id: string): Promise<void>;
}

const forgetOld = statement<never, [at: Date, keep: number]>({
  name: 'challenges-forget-old',
  owner: 'user',
  text: `
    DELETE FROM two_factor_challenges
    WHERE user_id = $1 AND (expires_at <= $2 OR id IN (
      SELECT id FROM two_factor_challenges WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $3))`,
});

const insertChallenge = statement<
  never,
  [id: string, tokenHash: Buffer, binding: string, createdAt: Date, expiresAt: Date]
>({
  name: 'challenge-insert',
  owner: 'user',
  text: `
    INSERT INTO two_factor_challenges (user_id, id, token_hash, binding, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)`,
});

const findChallenge = statement<OpenChallenge, [id: string, hash: Buffer, binding: string, at: Date]>({
  name: 'challenge-find',
  owner: 'user',
  text: `
    SELECT id, failures FROM two_factor_challenges
    WHERE user_id = $1 AND id = $2 AND token_hash = $3 AND binding = $4 AND expires_at > $5`,
});

const recordWrongCode = statement<never, [id: string]>({
  name: 'challenge-record-failure',
  owner: 'user',
  text: `UPDATE two_factor_challenges SET failures = failures + 1 WHERE user_id = $1 AND id = $2`,
});

const removeChallenge = statement<never, [id: string]>({
  name: 'challenge-remove',
  owner: 'user',
  text: `DELETE FROM two_factor_challenges WHERE user_id = $1 AND id = $2`,
});

/** Challenges in PostgreSQL. */
export function createChallengesRepository(): ChallengesRepository {
  return {
    async makeRoom(tx, { keep, at }) {
      await tx.query(forgetOld, [at, keep]);
    },
    async insert(tx, { id, tokenHash, binding, createdAt, expiresAt }) {
      await tx.query(insertChallenge, [id, tokenHash, binding, createdAt, expiresAt]);
    },
    async find(tx, { id, hash, binding, at }) {
      const [challenge] = await tx.query(findChallenge, [id, hash, binding, at]);
      return challenge;
    },
    async recordFailure(tx, id) {
      await tx.query(recordWrongCode, [id]);
    },
    async remove(tx, id) {
      await tx.query(removeChallenge, [id]);
    },
  };
}
