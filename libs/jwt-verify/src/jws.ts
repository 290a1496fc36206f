import { verify, type KeyObject } from 'node:crypto';
import { TokenError } from './errors.ts';
import { parseStrictObject } from './strict-json.ts';

/** The one algorithm. A token does not choose it: every key is an ES256 key (RFC 8725 section 3.1). */
export const algorithm = 'ES256';

const tokenLengthMax = 8 * 1024;
const signatureBytes = 64;
const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** A compact JWS, taken apart but not yet believed. */
export interface Jws {
  readonly header: Readonly<Record<string, unknown>>;
  /** The two segments that are signed, with their dot. */
  readonly signingInput: string;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** Takes a compact JWS apart (RFC 7515 section 7.1), refusing whatever is not its canonical spelling. */
export function parseJws(token: string): Jws {
  // Whoever calls from JavaScript may hand in anything.
  if (typeof token !== 'string') throw new TokenError('TOKEN_MALFORMED');
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
    signingInput: token.slice(0, lastDot),
    payload: decodeSegment(token.slice(firstDot + 1, lastDot)),
    signature: decodeSegment(token.slice(lastDot + 1)),
  };
}

/** Checks the ES256 signature (RFC 7518 section 3.4), or throws. */
export function assertSignature(jws: Jws, key: KeyObject): void {
  const valid =
    jws.signature.length === signatureBytes &&
    // Synchronous on purpose: handing the check to another thread costs half as much again as the check.
    verify(
      'sha256',
      Buffer.from(jws.signingInput, 'latin1'),
      { key, dsaEncoding: 'ieee-p1363' },
      jws.signature,
    );
  if (!valid) throw new TokenError('TOKEN_SIGNATURE_INVALID');
}

/** Reads the bytes of a header or payload as a JSON object with unique names, or throws. */
export function readJson(bytes: Uint8Array): Readonly<Record<string, unknown>> {
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
