import type { AuthDatabase } from '../database.ts';
import type { StoredSigningKey } from './signing-key.ts';

/** Where signing keys are kept. */
export interface SigningKeysRepository {
  list(): Promise<StoredSigningKey[]>;
  /** Stores the first active key; does nothing when there is one already. */
  insertActive(key: StoredSigningKey, at: Date): Promise<void>;
  /** Replaces the encryption of a key, unless another instance has done so. */
  replaceEncryption(key: StoredSigningKey, fromSecretId: string): Promise<void>;
}

const listKeys = {
  name: 'signing-keys',
  text: `
    SELECT kid, public_jwk AS "publicJwk", encrypted_private_key AS "encryptedPrivateKey",
      secret_id AS "secretId", state
    FROM signing_keys
    ORDER BY not_before DESC, kid`,
};

// Instances that start at once on an empty table all try: the partial unique index lets one of them win.
const insertActiveKey = {
  name: 'signing-key-insert-active',
  text: `
    INSERT INTO signing_keys
      (kid, algorithm, public_jwk, encrypted_private_key, secret_id, state, not_before, created_at)
    VALUES ($1, 'ES256', $2, $3, $4, 'active', $5, $5)
    ON CONFLICT (state) WHERE state = 'active' DO NOTHING`,
};

const replaceEncryption = {
  name: 'signing-key-replace-encryption',
  text: `
    UPDATE signing_keys SET encrypted_private_key = $2, secret_id = $3
    WHERE kid = $1 AND secret_id = $4`,
};

/** The signing keys in PostgreSQL. They belong to nobody, so there is no scope. */
export function createSigningKeysRepository({ pool }: AuthDatabase): SigningKeysRepository {
  return {
    async list() {
      const { rows } = (await pool.query(listKeys)) as { rows: StoredSigningKey[] };
      return rows;
    },
    async insertActive({ kid, publicJwk, encryptedPrivateKey, secretId }, at) {
      await pool.query({ ...insertActiveKey, values: [kid, publicJwk, encryptedPrivateKey, secretId, at] });
    },
    async replaceEncryption({ kid, encryptedPrivateKey, secretId }, fromSecretId) {
      await pool.query({ ...replaceEncryption, values: [kid, encryptedPrivateKey, secretId, fromSecretId] });
    },
  };
}
