import { unscopedStatement, withoutSession, type Unscoped, type UnscopedScope } from '../../database.ts';
import type { AuthSecret } from '../../ground/index.ts';
import type { KeyStep } from './key-schedule.ts';
import { generateSigningKey, type StoredSigningKey } from './signing-key.ts';

/** The keys, in the order in which they sign, and the time on the database's clock: the only one that all share. */
export interface KeySnapshot {
  readonly keys: readonly StoredSigningKey[];
  readonly at: Date;
}

const readKeys = unscopedStatement({
  name: 'signing-keys',
  text: `
    SELECT clock.at, kid, public_jwk AS "publicJwk", encrypted_private_key AS "encryptedPrivateKey",
      secret_id AS "secretId", not_before AS "signsFrom"
    FROM (SELECT clock_timestamp() AS at) AS clock LEFT JOIN signing_keys ON true
    ORDER BY not_before, kid`,
});
// The lock ends with the transaction, so it also works behind a pooler.
const lockKeys = unscopedStatement({
  name: 'signing-keys-lock',
  text: `SELECT pg_advisory_xact_lock(hashtext('tenantry.auth.signing-keys')) AS locked`,
});
const addKey = unscopedStatement({
  name: 'signing-key-add',
  text: `
    INSERT INTO signing_keys (kid, algorithm, public_jwk, encrypted_private_key, secret_id, not_before, created_at)
    VALUES ($1, 'ES256', $2, $3, $4, $5, clock_timestamp())`,
});
const advanceKey = unscopedStatement({
  name: 'signing-key-advance',
  text: 'UPDATE signing_keys SET not_before = $2 WHERE kid = $1',
});
const removeKey = unscopedStatement({
  name: 'signing-key-remove',
  text: 'DELETE FROM signing_keys WHERE kid = $1',
});
const replaceKeyEncryption = unscopedStatement({
  name: 'signing-key-replace-encryption',
  text: `
    UPDATE signing_keys SET encrypted_private_key = $2, secret_id = $3 WHERE kid = $1 AND secret_id = $4`,
});

/** Where signing keys are kept. They belong to no tenant. */
export class SigningKeysRepository {
  async read(rows: Unscoped): Promise<KeySnapshot> {
    const found = await rows.query(readKeys, []);
    // Without keys, the only row has just the time.
    const [{ at } = theTime()] = found;
    const keys = found.flatMap((row) =>
      row.kid === null ? [] : { ...row, publicJwk: row.publicJwk as StoredSigningKey['publicJwk'] },
    );
    return { keys, at };
  }

  /** Passes the keys, locked, to `decide`, takes its steps, and returns the result. A new key is encrypted under `secret`. */
  change(
    scope: UnscopedScope,
    secret: AuthSecret,
    decide: (snapshot: KeySnapshot) => readonly KeyStep[],
  ): Promise<KeySnapshot> {
    return withoutSession('maintenance', scope, async (tx) => {
      await tx.query(lockKeys, []);
      for (const step of decide(await this.read(tx))) await take(tx, step, secret);
      return this.read(tx);
    });
  }

  /** Replaces the encryption of a key, unless another instance has done so. */
  async replaceEncryption(
    rows: Unscoped,
    key: Pick<StoredSigningKey, 'kid' | 'encryptedPrivateKey' | 'secretId'>,
    fromSecretId: string,
  ): Promise<void> {
    const { kid, encryptedPrivateKey, secretId } = key;
    await rows.query(replaceKeyEncryption, [kid, encryptedPrivateKey, secretId, fromSecretId]);
  }
}

function theTime(): never {
  throw new Error('PostgreSQL did not tell the time');
}

async function take(rows: Unscoped, step: KeyStep, secret: AuthSecret): Promise<void> {
  switch (step.kind) {
    case 'make': {
      const { kid, ...key } = await generateSigningKey(secret, step.signsFrom);
      const { publicJwk, encryptedPrivateKey, secretId, signsFrom } = key;
      await rows.query(addKey, [kid, publicJwk, encryptedPrivateKey, secretId, signsFrom]);
      return;
    }
    case 'advance':
      await rows.query(advanceKey, [step.kid, step.signsFrom]);
      return;
    case 'remove':
      await rows.query(removeKey, [step.kid]);
  }
}
