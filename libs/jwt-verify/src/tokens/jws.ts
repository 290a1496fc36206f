import { platform } from '#platform';
import { TokenError } from './errors.ts';
import { parseStrictObject } from './strict-json.ts';

/** The one algorithm. A token does not choose it: every key is an ES256 key (RFC 8725 section 3.1). */
export const algorithm = 'ES256';

const tokenLengthMax = 8 * 1024;
const signatureBytes = 64;
const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** What a header or payload says. */
export type Fields = Readonly<Record<string, unknown>>;

/** A compact JWS, parsed but not yet verified. */
export interface Jws {
  readonly header: Fields;
  /** The two segments that are signed, with their dot. */
  readonly signingInput: Uint8Array;
  readonly payload: Uint8Array;
  readonly signature: Uint8Array;
}

/** Parses a compact JWS (RFC 7515 section 7.1), refusing any spelling that is not canonical. */
export function parseJws(token: string): Jws {
  if (token.length > tokenLengthMax) throw new TokenError('TOKEN_TOO_LARGE');
  if (!compactForm.test(token)) throw new TokenError('TOKEN_MALFORMED');
  const firstDot = token.indexOf('.');
  const lastDot = token.lastIndexOf('.');
  const header = readJson(decodeSegment(token.slice(0, firstDot)));
  if (header['alg'] !== algorithm) throw new TokenError('TOKEN_ALGORITHM_REFUSED');
  // RFC 7515 section 4.1.11: an extension that is not understood must be refused, and none is.
  if ('crit' in header) throw new TokenError('TOKEN_EXTENSION_REFUSED');
  const payload = decodeSegment(token.slice(firstDot + 1, lastDot));
  const signature = decodeSegment(token.slice(lastDot + 1));
  if (signature.length !== signatureBytes) throw new TokenError('TOKEN_SIGNATURE_INVALID');
  return { header, signingInput: platform.bytesOfAscii(token.slice(0, lastDot)), payload, signature };
}

/** No other kind of token works as an access token (RFC 9068 section 4); jku, x5u, x5c and jwk are not read. */
export function keyIdOfAccessToken({ header }: Jws): string {
  if (header['typ'] !== 'at+jwt') throw new TokenError('TOKEN_TYPE_REFUSED');
  const kid = header['kid'];
  if (typeof kid !== 'string') throw new TokenError('TOKEN_KEY_UNKNOWN');
  return kid;
}

/** Reads the bytes of a header or payload as a JSON object with unique names, or throws. */
export function readJson(bytes: Uint8Array): Fields {
  try {
    return parseStrictObject(platform.textOf(bytes));
  } catch (cause) {
    throw new TokenError('TOKEN_MALFORMED', { cause });
  }
}

/** Last characters that leave no stray bits, by what the length leaves over after groups of four. */
const canonicalEndings: readonly (string | undefined)[] = [undefined, '', 'AQgw', 'AEIMQUYcgkosw048'];

/**
 * Decodes base64url without padding. The alphabet is checked before; here the last character must be
 * the only one that spells these bytes, so that one token has one spelling (RFC 4648 section 3.5).
 */
function decodeSegment(segment: string): Uint8Array {
  const endings = canonicalEndings[segment.length % 4];
  if (endings !== undefined && !endings.includes(segment.slice(-1))) throw new TokenError('TOKEN_MALFORMED');
  return platform.bytesOf(segment);
}
