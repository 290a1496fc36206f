import type { Pool } from '../../database.ts';
import type { StoredSigningKey } from './signing-key.ts';

/** The keys, in the order in which they sign, and the time on the database's clock: the only one that all share. */
export interface KeySnapshot {
  readonly keys: readonly StoredSigningKey[];
  readonly at: Date;
}

/** A change of one row. */
export type KeyWrite =
  | { readonly kind: 'add'; readonly key: StoredSigningKey }
  | { readonly kind: 'advance'; readonly kid: string; readonly signsFrom: Date }
  | { readonly kind: 'remove'; readonly kid: string };

/** Where signing keys are kept. They belong to no tenant. */
export interface SigningKeysRepository {
  read(pool: Pool): Promise<KeySnapshot>;
  /** Lets `decide` see the keys and change them while nobody else does; answers what they are then. */
  change(pool: Pool, decide: (snapshot: KeySnapshot) => Promise<readonly KeyWrite[]>): Promise<KeySnapshot>;
  /** Replaces the encryption of a key, unless another instance has done so. */
  replaceEncryption(
    pool: Pool,
    key: Pick<StoredSigningKey, 'kid' | 'encryptedPrivateKey' | 'secretId'>,
    fromSecretId: string,
  ): Promise<void>;
}

const readKeys = {
  name: 'signing-keys',
  text: `
    SELECT clock.at, kid, public_jwk AS "publicJwk", encrypted_private_key AS "encryptedPrivateKey",
      secret_id AS "secretId", not_before AS "signsFrom"
    FROM (SELECT clock_timestamp() AS at) AS clock LEFT JOIN signing_keys ON true
    ORDER BY not_before, kid`,
};
// It ends with the transaction, so that it also holds behind a pooler.
const lockText = `SELECT pg_advisory_xact_lock(hashtext('tenantry.auth.signing-keys'))`;
const addText = `
  INSERT INTO signing_keys (kid, algorithm, public_jwk, encrypted_private_key, secret_id, not_before, created_at)
  VALUES ($1, 'ES256', $2, $3, $4, $5, clock_timestamp())`;
const advanceText = 'UPDATE signing_keys SET not_before = $2 WHERE kid = $1';
const removeText = 'DELETE FROM signing_keys WHERE kid = $1';
const replaceEncryptionText = `
  UPDATE signing_keys SET encrypted_private_key = $2, secret_id = $3 WHERE kid = $1 AND secret_id = $4`;

type Clocked<Key> = Key & { readonly at: Date };
type Row = Clocked<StoredSigningKey> | Clocked<{ readonly kid: null }>;
type Queryable = Pick<Pool, 'query'>;

/** Signing keys in PostgreSQL. */
export function createSigningKeysRepository(): SigningKeysRepository {
  return {
    read,

    async change(pool, decide) {
      const client = await pool.connect();
      let broken = true;
      try {
        await client.query('BEGIN');
        await client.query(lockText);
        for (const change of await decide(await read(client))) await write(client, change);
        const snapshot = await read(client);
        await client.query('COMMIT');
        broken = false;
        return snapshot;
      } finally {
        // A connection that ends takes its transaction and its lock with it.
        client.release(broken);
      }
    },

    async replaceEncryption(pool, { kid, encryptedPrivateKey, secretId }, fromSecretId) {
      await pool.query(replaceEncryptionText, [kid, encryptedPrivateKey, secretId, fromSecretId]);
    },
  };
}

async function read(queryable: Queryable): Promise<KeySnapshot> {
  const { rows } = (await queryable.query(readKeys)) as { rows: Row[] };
  // Without a key the only row tells the time alone.
  const keys = rows.filter((row): row is Clocked<StoredSigningKey> => row.kid !== null);
  return { keys, at: (rows[0] as Row).at };
}

async function write(queryable: Queryable, change: KeyWrite): Promise<void> {
  switch (change.kind) {
    case 'add': {
      const { kid, publicJwk, encryptedPrivateKey, secretId, signsFrom } = change.key;
      await queryable.query(addText, [kid, publicJwk, encryptedPrivateKey, secretId, signsFrom]);
      return;
    }
    case 'advance':
      await queryable.query(advanceText, [change.kid, change.signsFrom]);
      return;
    case 'remove':
      await queryable.query(removeText, [change.kid]);
  }
}
