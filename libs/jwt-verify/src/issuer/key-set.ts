import { calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import { platform } from '#platform';
import { algorithm } from '../tokens/jws.ts';
import type { SignatureCheck } from '../platform/platform.ts';

/** Public keys by key id. A Map, so that a kid such as `__proto__` is only a name. */
export type KeySet = ReadonlyMap<string, VerificationKey>;

/** One ES256 public key. */
export interface VerificationKey {
  readonly check: SignatureCheck;
  /** RFC 7638: tells whether two keys are the same, whatever they are called. */
  readonly thumbprint: string;
}

/** More keys than any issuer publishes at once. */
const keysMax = 100;

/**
 * Reads a JWK set (RFC 7517 section 5), ignoring keys that are not for ES256 signatures.
 *
 * Throws when no usable key remains: a set without keys is a fault of its publisher, never a set to trust.
 */
export async function importKeySet(value: unknown): Promise<KeySet> {
  const listed = (value as { keys?: unknown } | null)?.keys;
  if (!Array.isArray(listed)) throw new Error('not a JWK set: it has no "keys" array');
  if (listed.length > keysMax) throw new Error(`the JWK set has more than ${keysMax} keys`);
  const keys = new Map<string, VerificationKey>();
  for (const jwk of listed as (JWK | null)[]) {
    const key = typeof jwk?.kid === 'string' && jwk.kid !== '' ? await importKey(jwk) : undefined;
    if (key === undefined) continue;
    const kid = jwk?.kid as string;
    if (keys.has(kid)) throw new Error(`the JWK set names the key ${JSON.stringify(kid)} twice`);
    keys.set(kid, key);
  }
  if (keys.size === 0) throw new Error('the JWK set has no ES256 key with a key id');
  return keys;
}

/** Imports one JWK, or gives undefined when it is not a public key for ES256 signatures. */
export async function importKey(jwk: JWK): Promise<VerificationKey | undefined> {
  if (!isEs256Key(jwk)) return undefined;
  const { kty, crv, x, y } = jwk;
  // Only what makes the public key: a private part that slipped into the set stays unread.
  const publicJwk = { kty, crv, x, y };
  try {
    const key = await importJWK(publicJwk, algorithm);
    // A symmetric key, which none of these is.
    if (ArrayBuffer.isView(key)) return undefined;
    return { check: platform.signatureCheck(key), thumbprint: await calculateJwkThumbprint(publicJwk) };
  } catch {
    // A point that is not on the curve, or no point at all.
    return undefined;
  }
}

/** Whether a JWK describes a public key for ES256 signatures; whether it really is one shows when it is imported. */
export function isEs256Key(jwk: JWK): jwk is JWK & Record<'kty' | 'crv' | 'x' | 'y', string> {
  return (
    jwk.kty === 'EC' &&
    jwk.crv === 'P-256' &&
    typeof jwk.x === 'string' &&
    typeof jwk.y === 'string' &&
    (jwk.alg === undefined || jwk.alg === algorithm) &&
    (jwk.use === undefined || jwk.use === 'sig') &&
    (jwk.key_ops === undefined || (Array.isArray(jwk.key_ops) && jwk.key_ops.includes('verify')))
  );
}

/** Whether every key of one set is still in another under the same name. */
export function keepsAll(before: KeySet, after: KeySet): boolean {
  return [...before].every(([kid, { thumbprint }]) => after.get(kid)?.thumbprint === thumbprint);
}
