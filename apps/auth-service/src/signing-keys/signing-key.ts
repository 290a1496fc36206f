import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose';
import type { SecretRing } from '../secrets/auth-secret.ts';
import { decryptPrivateKey, encryptPrivateKey } from './key-encryption.ts';

/** `next` is published and does not sign yet, `active` signs, `retired` still verifies what it signed. */
export type SigningKeyState = 'next' | 'active' | 'retired';

/** A signing key as it is stored. */
export interface StoredSigningKey {
  readonly kid: string;
  /** What verifiers need, as a JWK (RFC 7517) with `kid`, `use` and `alg`. */
  readonly publicJwk: JWK;
  readonly encryptedPrivateKey: Uint8Array;
  /** The id of the AUTH_SECRET that encrypts it. */
  readonly secretId: string;
  readonly state: SigningKeyState;
}

/** Makes a new ES256 key; its kid is the thumbprint of RFC 7638. */
export async function generateSigningKey(secrets: SecretRing): Promise<StoredSigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    publicJwk: { ...jwk, kid, use: 'sig', alg: 'ES256' },
    encryptedPrivateKey: encryptPrivateKey(pkcs8(privateKey), { kid, secret: secrets.current }),
    secretId: secrets.current.id,
    state: 'active',
  };
}

/** Decrypts a stored key; throws, saying what to do, when its secret is not configured. */
export function openSigningKey(stored: StoredSigningKey, secrets: SecretRing): KeyObject {
  const { kid, secretId, encryptedPrivateKey } = stored;
  const secret = secrets.find(secretId);
  if (!secret) {
    throw new Error(
      `The signing key ${kid} is encrypted under another AUTH_SECRET (${secretId}): add that secret to AUTH_SECRET_PREVIOUS.`,
    );
  }
  const key = decryptPrivateKey(encryptedPrivateKey, { kid, secret });
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

/** The same key, encrypted under the current secret. */
export function reencryptSigningKey(stored: StoredSigningKey, secrets: SecretRing): StoredSigningKey {
  const privateKey = pkcs8(openSigningKey(stored, secrets));
  return {
    ...stored,
    encryptedPrivateKey: encryptPrivateKey(privateKey, { kid: stored.kid, secret: secrets.current }),
    secretId: secrets.current.id,
  };
}

function pkcs8(privateKey: KeyObject): Buffer {
  return privateKey.export({ format: 'der', type: 'pkcs8' });
}
