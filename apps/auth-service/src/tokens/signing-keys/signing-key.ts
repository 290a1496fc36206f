import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { AuthSecret, SecretRing } from '../../ground/index.ts';

/** A signing key as it is stored. */
export interface StoredSigningKey {
  readonly kid: string;
  /** What verifiers need, as a JWK (RFC 7517) with `kid`, `use` and `alg`. */
  readonly publicJwk: JWK;
  readonly encryptedPrivateKey: Uint8Array;
  /** The id of the AUTH_SECRET that encrypts it. */
  readonly secretId: string;
  /** It is published immediately, and signs from this time until the next key does. */
  readonly signsFrom: Date;
}

/** A signing key, ready for use. */
export interface OpenSigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Derived from the private key: the database's public part is never published. */
  readonly publicJwk: JWK;
}

const purpose = 'signing-key-encryption';

/** Makes a new ES256 key. */
export async function generateSigningKey(secret: AuthSecret, signsFrom: Date): Promise<StoredSigningKey> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const publicJwk = await publicJwkOf(privateKey);
  return { ...publicJwk, publicJwk, ...seal(privateKey, publicJwk.kid, secret), signsFrom };
}

/**
 * Decrypts a stored key.
 *
 * The ciphertext is authenticated with the kid, and the kid is the thumbprint of the key within. So anyone who can write
 * to the database can neither change a key, nor put one in another's place, nor publish one of their own.
 *
 * @throws Error saying what to do, when its secret is not configured or the row was tampered with.
 */
export async function openSigningKey(stored: StoredSigningKey, secrets: SecretRing): Promise<OpenSigningKey> {
  const { kid, secretId } = stored;
  const secret = secrets.find(secretId);
  if (!secret) {
    throw new Error(
      `The signing key ${kid} is encrypted under another AUTH_SECRET (${secretId}): add that secret to AUTH_SECRET_PREVIOUS.`,
    );
  }
  const privateKey = unseal(stored, secret);
  const publicJwk = await publicJwkOf(privateKey);
  if (publicJwk.kid !== kid || publicJwk.x !== stored.publicJwk.x || publicJwk.y !== stored.publicJwk.y) {
    throw tampered(kid);
  }
  return { kid, privateKey, publicKey: createPublicKey(privateKey), publicJwk };
}

/** The parts of a row that change when a key is encrypted under the current secret. */
export function sealSigningKey({ kid, privateKey }: OpenSigningKey, secrets: SecretRing) {
  return seal(privateKey, kid, secrets.current);
}

function seal(privateKey: KeyObject, kid: string, secret: AuthSecret) {
  const plaintext = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { encryptedPrivateKey: secret.encrypt(purpose, plaintext, kid), secretId: secret.id };
}

function unseal({ kid, encryptedPrivateKey }: StoredSigningKey, secret: AuthSecret): KeyObject {
  try {
    const key = secret.decrypt(purpose, encryptedPrivateKey, kid);
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw tampered(kid, cause);
  }
}

/** The kid is the thumbprint of RFC 7638. */
async function publicJwkOf(privateKey: KeyObject) {
  const { kty, crv, x, y } = await exportJWK(createPublicKey(privateKey));
  const jwk = { kty, crv, x, y } as JWK;
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: 'ES256' };
}

function tampered(kid: string, cause?: unknown): Error {
  return new Error(
    `The signing key ${kid} is not what was stored: its row was changed, or holds another key. Find out who writes to the database, then remove the key (npm run keys -- remove ${kid}).`,
    { cause },
  );
}
