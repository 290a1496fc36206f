import { generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';

/** Claims or header parameters of a forged token; undefined leaves one out. */
export type Fields = Readonly<Record<string, unknown>>;

/** Spells text or an object as a segment of a token. */
export function segment(content: string | Fields | Uint8Array): string {
  const bytes =
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
  return Buffer.from(bytes).toString('base64url');
}

/** ES256 over the signing input, as RFC 7518 section 3.4 spells it. */
export function signEs256(input: string, key: KeyObject): string {
  return sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
}

/**
 * A signer that signs anything: an issuer that has gone wrong, with the right key. It shares no code with the
 * library, so that a mistake there cannot hide here.
 */
export function createForge(issuer = 'https://auth.test/api/auth', nowSeconds = 1_800_000_000) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header: Fields = { alg: 'ES256', kid: 'forge', typ: 'at+jwt' };
  const claims: Fields = {
    iss: issuer,
    aud: 'tenantry',
    sub: randomUUID(),
    email: 'robin@example.com',
    name: 'Robin',
    organizationId: randomUUID(),
    organizationName: 'Example',
    role: 'member',
    sid: randomUUID(),
    iat: nowSeconds,
    exp: nowSeconds + 900,
    amr: ['pwd', 'otp'],
    auth_time: nowSeconds,
    bnd: 'digest',
  };
  const signed = (headerSegment: string, payloadSegment: string, key = privateKey): string => {
    const input = `${headerSegment}.${payloadSegment}`;
    return `${input}.${signEs256(input, key)}`;
  };
  return {
    issuer,
    nowSeconds,
    publicKey,
    privateKey,
    header,
    claims,
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'forge', alg: 'ES256', use: 'sig' }] },
    /** Signs two segments as they are. */
    signed,
    /** Signs a token that differs from a good one in these claims and header parameters. */
    token: (changed: Fields = {}, changedHeader: Fields = {}) =>
      signed(segment({ ...header, ...changedHeader }), segment({ ...claims, ...changed })),
    /** Signs a payload spelt as text. */
    payload: (text: string | Uint8Array) => signed(segment(header), segment(text)),
    /** Signs with a header spelt as text. */
    headed: (text: string | Uint8Array) => signed(segment(text), segment(claims)),
  };
}
