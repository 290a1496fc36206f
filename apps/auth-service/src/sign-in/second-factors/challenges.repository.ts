import { statement, type Rows, type Transaction } from '../../database.ts';
import { defineSweepBy } from '../../ground/index.ts';
import type { ConfinedStart } from '../../sessions/index.ts';
import type { Statements } from '../../statements.types.ts';

/**
 * A sign-in that waits for the second factor: how the user has authenticated so far (RFC 8176), the
 * sign-in at a provider that its session uses, and the wrong codes given to it.
 */
export type OpenChallenge = Statements['challenge-find']['row'];

/** A challenge about to be opened. */
interface NewChallenge {
  readonly confinement: ConfinedStart | null;
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly amr: readonly string[];
  readonly flowId: string | null;
  readonly binding: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The key of a challenge; every part must be as it was when the challenge was created. */
interface ChallengeKey {
  readonly id: string;
  readonly hash: Buffer;
  readonly binding: string;
  readonly at: Date;
}

const evictOldest = statement({
  name: 'challenges-evict-oldest',
  owner: 'user',
  text: `
    DELETE FROM two_factor_challenges
    WHERE user_id = $1 AND (expires_at <= $2 OR id IN (
      SELECT id FROM two_factor_challenges WHERE user_id = $1 AND confined_to IS NOT DISTINCT FROM $4::uuid
      ORDER BY created_at DESC, id DESC OFFSET $3))`,
});

const insertChallenge = statement({
  name: 'challenge-insert',
  owner: 'user',
  text: `
    INSERT INTO two_factor_challenges (user_id, id, token_hash, amr, flow_id, binding, created_at, expires_at,
      confined_to, connection_id, ends_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
});

const findChallenge = statement({
  name: 'challenge-find',
  owner: 'user',
  text: `
    SELECT id, amr, flow_id AS "flowId", failures, confined_to AS "confinedTo", connection_id AS "connectionId",
      ends_at AS "endsAt"
    FROM two_factor_challenges
    WHERE user_id = $1 AND id = $2 AND token_hash = $3 AND binding = $4 AND expires_at > $5`,
});

const recordWrongCode = statement({
  name: 'challenge-record-failure',
  owner: 'user',
  text: `UPDATE two_factor_challenges SET failures = failures + 1 WHERE user_id = $1 AND id = $2`,
});

const removeChallenge = statement({
  name: 'challenge-remove',
  owner: 'user',
  text: `DELETE FROM two_factor_challenges WHERE user_id = $1 AND id = $2`,
});

export const sweepChallenges = defineSweepBy('app.sweep_two_factor_challenges()');

/** Where challenges are kept; the user is the one of the transaction's scope. */
export class ChallengesRepository {
  /** Deletes what has expired, and the oldest beyond `keep`: of the user's own, or of those confined to an organization. */
  async evictOldest(
    tx: Transaction,
    room: { readonly keep: number; readonly at: Date; readonly confinedTo: string | null },
  ): Promise<void> {
    const { keep, at, confinedTo } = room;
    await tx.query(evictOldest, [at, keep, confinedTo]);
  }

  async insert(tx: Transaction, challenge: NewChallenge): Promise<void> {
    const { id, tokenHash, amr, flowId, binding, createdAt, expiresAt, confinement } = challenge;
    const { organizationId = null, connectionId = null, endsAt = null } = confinement ?? {};
    const confined = [organizationId, connectionId, endsAt] as const;
    await tx.query(insertChallenge, [id, tokenHash, amr, flowId, binding, createdAt, expiresAt, ...confined]);
  }

  async find(rows: Rows, { id, hash, binding, at }: ChallengeKey): Promise<OpenChallenge | undefined> {
    return (await rows.query(findChallenge, [id, hash, binding, at]))[0];
  }

  async recordFailure(tx: Transaction, id: string): Promise<void> {
    await tx.query(recordWrongCode, [id]);
  }

  async remove(tx: Transaction, id: string): Promise<void> {
    await tx.query(removeChallenge, [id]);
  }
}
