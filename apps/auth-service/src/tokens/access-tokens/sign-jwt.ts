import { sign } from 'node:crypto';
import type { OpenSigningKey } from '../signing-keys/signing-key.ts';

/**
 * A signed access token: a JWT (RFC 7519) in compact form, ES256 (RFC 7518, 3.4), typed as RFC 9068 asks.
 *
 * Synchronous on purpose: a signature is 25 µs, and handing it to another thread and back costs more than that.
 */
export function signJwt(
  { kid, privateKey }: Pick<OpenSigningKey, 'kid' | 'privateKey'>,
  claims: object,
): string {
  const content = `${encode({ alg: 'ES256', kid, typ: 'at+jwt' })}.${encode(claims)}`;
  const signature = joinedIntegers(sign('sha256', Buffer.from(content), privateKey));
  return `${content}.${signature.toString('base64url')}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

const integerBytes = 32;

/**
 * The two integers of a DER signature (RFC 3279, 2.2.3), 32 bytes each, one after the other. node:crypto can write them
 * so by itself, in twice the time.
 */
function joinedIntegers(der: Buffer): Buffer {
  const joined = Buffer.alloc(2 * integerBytes);
  let tag = 2;
  for (const end of [integerBytes, joined.length]) {
    const start = tag + 2;
    tag = start + der.readUInt8(tag + 1);
    // DER adds a zero before a high bit, and leaves leading zeros out.
    const digits = der.subarray(Math.max(start, tag - integerBytes), tag);
    digits.copy(joined, end - digits.length);
  }
  return joined;
}
