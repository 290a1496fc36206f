import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** What a key is for. One key never serves two purposes, so none tells anything about another. */
export type KeyPurpose =
  | 'password-pepper'
  | 'signing-key-encryption'
  | 'mail-encryption'
  | 'idempotency'
  | 'totp-secret-encryption'
  | 'refresh-token'
  | 'csrf-token'
  | 'device-cookie'
  | 'mailed-code'
  | 'passkey-challenge'
  | 'sign-in-flow'
  | 'sign-in-flow-encryption'
  | 'throttling';

/** One AUTH_SECRET: never used itself, only to derive keys from. */
export interface AuthSecret {
  /** Its public name, stored beside whatever depends on it; it says nothing about the secret. */
  readonly id: string;
  /** The 256-bit key for a purpose: a key object, which can be logged by nobody and is a third faster than bytes. */
  key(purpose: KeyPurpose): KeyObject;
}

/** The secret that new work is done under, and those that older work may still need. */
export interface SecretRing {
  readonly current: AuthSecret;
  /** Newest first. */
  readonly all: readonly AuthSecret[];
  find(id: string): AuthSecret | undefined;
}

/**
 * Makes a ring of AUTH_SECRET and earlier values: a rotated secret stays readable for as long as it is listed, and
 * whatever was made under it is renewed when it is next used.
 */
export function createSecretRing(current: string, previous: readonly string[] = []): SecretRing {
  const secrets = [current, ...previous].map(deriveSecret);
  return {
    current: secrets[0] as AuthSecret,
    all: secrets,
    find: (id) => secrets.find((secret) => secret.id === id),
  };
}

function deriveSecret(text: string): AuthSecret {
  const keys = new Map<KeyPurpose, KeyObject>();
  return {
    id: derive(text, 'name', 9).toString('base64url'),
    key(purpose) {
      const known = keys.get(purpose);
      if (known) return known;
      const key = createSecretKey(derive(text, purpose, 32));
      keys.set(purpose, key);
      return key;
    },
  };
}

/** HKDF-SHA-256, RFC 5869; the secret has full entropy, so it needs no salt. */
function derive(secret: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `tenantry/auth-service/v1/${purpose}`, bytes));
}
