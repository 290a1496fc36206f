import { unscopedStatement, type Unscoped } from '../../database.ts';
import { defineSweep } from '../../ground/index.ts';

const insertUsed = unscopedStatement({
  name: 'saml-assertion-use',
  text: `
    INSERT INTO used_saml_assertions (digest, expires_at) VALUES ($1, $2)
    ON CONFLICT (digest) DO NOTHING RETURNING digest`,
});

/** Deletes a batch of those that have ended. */
export const sweepUsedAssertions = defineSweep({
  table: 'used_saml_assertions',
  over: `expires_at < statement_timestamp() - INTERVAL '1 minute'`,
  by: 'expires_at',
});

/** Stores an assertion that was used until it ends. @returns false if it is stored already */
export async function insertUsedAssertion(rows: Unscoped, digest: Buffer, expiresAt: Date): Promise<boolean> {
  return (await rows.query(insertUsed, [digest, expiresAt])).length > 0;
}
