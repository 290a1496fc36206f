import { unscopedStatement, type Transaction } from '../../../database.ts';
import { defineSweep } from '../../../ground/index.ts';

const insertUsed = unscopedStatement({
  name: 'passkey-challenge-use',
  text: `
    INSERT INTO used_passkey_challenges (digest, expires_at) VALUES ($1, $2)
    ON CONFLICT (digest) DO NOTHING RETURNING digest`,
});

/** Deletes a batch of those that have expired. */
export const sweepUsedChallenges = defineSweep({
  table: 'used_passkey_challenges',
  over: `expires_at < statement_timestamp() - INTERVAL '1 minute'`,
  by: 'expires_at',
});

/** Stores a used challenge until it expires. @returns false if it is stored already */
export async function insertUsedChallenge(
  tx: Transaction,
  digest: Buffer,
  expiresAt: Date,
): Promise<boolean> {
  return (await tx.query(insertUsed, [digest, expiresAt])).length > 0;
}
