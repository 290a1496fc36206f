import { verify, type KeyObject } from 'node:crypto';
import { TokenError } from './errors.ts';
import { parseStrictObject } from './strict-json.ts';

/** The one algorithm. A token does not choose it: every key is an ES256 key (RFC 8725 section 3.1). */
export const algorithm = 'ES256';

const tokenLengthMax = 8 * 1024;
const numberBytes = 32;
const signatureBytes = 2 * numberBytes;
const derSignatureBytesMax = signatureBytes + 8;
const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** A compact JWS, taken apart but not yet believed. */
export interface Jws {
  readonly header: Readonly<Record<string, unknown>>;
  /** The two segments that are signed, with their dot. */
  readonly signingInput: Buffer;
  readonly payload: Buffer;
  readonly signature: Buffer;
}

/** Takes a compact JWS apart (RFC 7515 section 7.1), refusing whatever is not its canonical spelling. */
export function parseJws(token: string): Jws {
  if (token.length > tokenLengthMax) throw new TokenError('TOKEN_TOO_LARGE');
  if (!compactForm.test(token)) throw new TokenError('TOKEN_MALFORMED');
  const firstDot = token.indexOf('.');
  const lastDot = token.lastIndexOf('.');
  const header = readJson(decodeSegment(token.slice(0, firstDot)));
  if (header['alg'] !== algorithm) throw new TokenError('TOKEN_ALGORITHM_REFUSED');
  // RFC 7515 section 4.1.11: an extension that is not understood must be refused, and none is.
  if ('crit' in header) throw new TokenError('TOKEN_EXTENSION_REFUSED');
  return {
    header,
    signingInput: Buffer.from(token.slice(0, lastDot), 'latin1'),
    payload: decodeSegment(token.slice(firstDot + 1, lastDot)),
    signature: decodeSegment(token.slice(lastDot + 1)),
  };
}

/** Checks the ES256 signature (RFC 7518 section 3.4), or throws. */
export function assertSignature(jws: Jws, key: KeyObject): void {
  const valid =
    jws.signature.length === signatureBytes &&
    // Synchronous on purpose: handing the check to another thread costs half as much again as the check.
    verify('sha256', jws.signingInput, key, derSignature(jws.signature));
  if (!valid) throw new TokenError('TOKEN_SIGNATURE_INVALID');
}

/**
 * The two numbers of a JWS signature as the DER sequence OpenSSL works with (RFC 3279 section 2.2.3).
 * node:crypto converts too (`dsaEncoding`), but asks the key for its curve each time, which takes half as
 * long as the check itself.
 */
function derSignature(signature: Buffer): Buffer {
  const der = Buffer.allocUnsafe(derSignatureBytesMax);
  const endOfR = writeDerInteger(der, 2, signature.subarray(0, numberBytes));
  const end = writeDerInteger(der, endOfR, signature.subarray(numberBytes));
  der[0] = 0x30;
  der[1] = end - 2;
  return der.subarray(0, end);
}

/** Writes an unsigned number: no needless zeros in front, but one where it would read as negative. */
function writeDerInteger(der: Buffer, at: number, unsigned: Buffer): number {
  let first = 0;
  while (first < numberBytes - 1 && unsigned[first] === 0) first++;
  const sign = unsigned.readUInt8(first) >= 0x80 ? 1 : 0;
  const length = sign + numberBytes - first;
  der[at] = 0x02;
  der[at + 1] = length;
  der[at + 2] = 0;
  unsigned.copy(der, at + 2 + sign, first);
  return at + 2 + length;
}

/** Reads the bytes of a header or payload as a JSON object with unique names, or throws. */
export function readJson(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    return parseStrictObject(bytes);
  } catch (cause) {
    throw new TokenError('TOKEN_MALFORMED', cause);
  }
}

/** Last characters that leave no stray bits, by what the length leaves over after groups of four. */
const canonicalEndings: readonly (string | undefined)[] = [undefined, '', 'AQgw', 'AEIMQUYcgkosw048'];

/**
 * Decodes base64url without padding. The alphabet is checked before; here the last character must be
 * the only one that spells these bytes, so that one token has one spelling (RFC 4648 section 3.5).
 */
function decodeSegment(segment: string): Buffer {
  const endings = canonicalEndings[segment.length % 4];
  if (endings !== undefined && !endings.includes(segment.slice(-1))) throw new TokenError('TOKEN_MALFORMED');
  return Buffer.from(segment, 'base64url');
}
