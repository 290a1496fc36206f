import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import type { TokenErrorCode } from '@tenantry/jwt-verify';
import { createForge, segment, signEs256, type Fields } from './forge.ts';

/** Signs every mutation, so that each is refused for its one change alone. */
export const forge = createForge();
const now = forge.nowSeconds;

/** The time of the forge, in milliseconds since the epoch. */
export const clock = (): number => now * 1000;

/** A good token at the time of the forge: what every mutation starts from. */
export const good = forge.token();
export const [headerPart = '', payloadPart = '', signaturePart = ''] = good.split('.');
const otherKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsaKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p384Keys = generateKeyPairSync('ec', { namedCurve: 'P-384' });

const withAlg = (alg: unknown, signature: string, more: Fields = {}): string =>
  `${segment({ ...forge.header, alg, ...more })}.${payloadPart}${signature === '' ? '.' : `.${signature}`}`;

/** HS256 with something public as the secret: the classic confusion (RFC 8725 section 2.1). */
const confused = (secret: string | Buffer, alg = 'HS256'): string => {
  const input = `${segment({ ...forge.header, alg })}.${payloadPart}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
};

const claimsText = JSON.stringify(forge.claims);
const headerText = JSON.stringify(forge.header);
/** The good claims with one member spelt by hand, so that numbers need not survive JSON.stringify. */
const spelt = (name: string, json: string): string =>
  forge.payload(`{${JSON.stringify({ ...forge.claims, [name]: undefined }).slice(1, -1)},"${name}":${json}}`);
const twice = (text: string, member: string): string => `${text.slice(0, -1)},${member}}`;

/** Changes the stray bits of the last character: the same bytes, another spelling. */
const nonCanonical = (text: string): string => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + (alphabet[alphabet.indexOf(text.slice(-1)) + 1] ?? '');
};
/** Good segments whose length leaves stray bits, or none. */
export const strayHeader = segment({ ...forge.header, x: padTo(2, { ...forge.header, x: '' }) });
export const wholePayload = segment({ ...forge.claims, x: padTo(0, { ...forge.claims, x: '' }) });
export const strayPayload = segment({ ...forge.claims, x: padTo(1, { ...forge.claims, x: '' }) });

/** Filler that makes the JSON of these fields leave `rest` bytes over after groups of three. */
function padTo(rest: number, fields: Fields): string {
  return 'x'.repeat((rest - (JSON.stringify(fields).length % 3) + 3) % 3);
}

const rs256 = (() => {
  const input = `${segment({ ...forge.header, alg: 'RS256' })}.${payloadPart}`;
  return `${input}.${createSign('sha256').update(input).sign(rsaKeys.privateKey, 'base64url')}`;
})();
const es384 = (() => {
  const input = `${segment({ ...forge.header, alg: 'ES384' })}.${payloadPart}`;
  const key = { key: p384Keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${createSign('sha384').update(input).sign(key, 'base64url')}`;
})();
const derSignature = createSign('sha256')
  .update(`${headerPart}.${payloadPart}`)
  .sign(forge.privateKey, 'base64url');
const zeros = Buffer.alloc(64).toString('base64url');

/** The claims of a good token of a service account. */
export const serviceClaims: Fields = {
  kind: 'service',
  role: 'scoped',
  base: 'member',
  scope: 'invoices:read invoices:write',
  email: '',
  amr: [],
  auth_time: undefined,
  bnd: undefined,
};
const serviceToken = (changed: Fields): string => forge.token({ ...serviceClaims, ...changed });

/** A token that must be refused, and why. */
export type Mutation = readonly [name: string, token: string, code: TokenErrorCode];

/** What must be refused, by what is mutated. */
export const matrix: Readonly<Record<string, readonly Mutation[]>> = {
  'the algorithm': [
    ['none, unsigned', withAlg('none', ''), 'TOKEN_MALFORMED'],
    ['none, with the signature left on', withAlg('none', signaturePart), 'TOKEN_ALGORITHM_REFUSED'],
    ['None', withAlg('None', signaturePart), 'TOKEN_ALGORITHM_REFUSED'],
    ['NONE', withAlg('NONE', signaturePart), 'TOKEN_ALGORITHM_REFUSED'],
    ['nOnE', withAlg('nOnE', signaturePart), 'TOKEN_ALGORITHM_REFUSED'],
    ['none with a trailing space', withAlg('none ', signaturePart), 'TOKEN_ALGORITHM_REFUSED'],
    ['es256 in lower case', forge.token({}, { alg: 'es256' }), 'TOKEN_ALGORITHM_REFUSED'],
    ['absent', forge.token({}, { alg: undefined }), 'TOKEN_ALGORITHM_REFUSED'],
    ['null', forge.token({}, { alg: null }), 'TOKEN_ALGORITHM_REFUSED'],
    ['an array', forge.token({}, { alg: ['ES256'] }), 'TOKEN_ALGORITHM_REFUSED'],
    ['ES256K', forge.token({}, { alg: 'ES256K' }), 'TOKEN_ALGORITHM_REFUSED'],
    ['RS256 by another key', rs256, 'TOKEN_ALGORITHM_REFUSED'],
    ['ES384 by another key', es384, 'TOKEN_ALGORITHM_REFUSED'],
    [
      'HS256 keyed with the public PEM',
      confused(forge.publicKey.export({ type: 'spki', format: 'pem' })),
      'TOKEN_ALGORITHM_REFUSED',
    ],
    [
      'HS256 keyed with the public DER',
      confused(forge.publicKey.export({ type: 'spki', format: 'der' })),
      'TOKEN_ALGORITHM_REFUSED',
    ],
    ['HS256 keyed with the JWK', confused(JSON.stringify(forge.jwks.keys[0])), 'TOKEN_ALGORITHM_REFUSED'],
    ['HS256 keyed with nothing', confused(''), 'TOKEN_ALGORITHM_REFUSED'],
    [
      'an HMAC that calls itself ES256',
      confused(forge.publicKey.export({ type: 'spki', format: 'pem' }), 'ES256'),
      'TOKEN_SIGNATURE_INVALID',
    ],
  ],
  'the key': [
    ['no kid', forge.token({}, { kid: undefined }), 'TOKEN_KEY_UNKNOWN'],
    ['an unknown kid', forge.token({}, { kid: 'other' }), 'TOKEN_KEY_UNKNOWN'],
    ['an empty kid', forge.token({}, { kid: '' }), 'TOKEN_KEY_UNKNOWN'],
    ['kid __proto__', forge.headed('{"alg":"ES256","typ":"at+jwt","kid":"__proto__"}'), 'TOKEN_KEY_UNKNOWN'],
    ['kid constructor', forge.token({}, { kid: 'constructor' }), 'TOKEN_KEY_UNKNOWN'],
    ['a path as kid', forge.token({}, { kid: '../../../../dev/null' }), 'TOKEN_KEY_UNKNOWN'],
    ['SQL as kid', forge.token({}, { kid: "x' UNION SELECT 'k" }), 'TOKEN_KEY_UNKNOWN'],
    ['kid an array of the right one', forge.token({}, { kid: ['forge'] }), 'TOKEN_KEY_UNKNOWN'],
    ['kid a number', forge.token({}, { kid: 0 }), 'TOKEN_KEY_UNKNOWN'],
    ['the right kid in other case', forge.token({}, { kid: 'FORGE' }), 'TOKEN_KEY_UNKNOWN'],
    [
      'the right kid, another key',
      forge.signed(headerPart, payloadPart, otherKeys.privateKey),
      'TOKEN_SIGNATURE_INVALID',
    ],
    [
      'a key of its own in jwk',
      ownKey({ jwk: otherKeys.publicKey.export({ format: 'jwk' }) }),
      'TOKEN_SIGNATURE_INVALID',
    ],
    ['a key of its own at jku', ownKey({ jku: 'http://127.0.0.1:1/jwks' }), 'TOKEN_SIGNATURE_INVALID'],
    ['a key of its own at x5u', ownKey({ x5u: 'http://127.0.0.1:1/cert' }), 'TOKEN_SIGNATURE_INVALID'],
    ['a key of its own in x5c', ownKey({ x5c: ['MIIB'] }), 'TOKEN_SIGNATURE_INVALID'],
  ],
  'the signature': [
    [
      'of another payload',
      `${headerPart}.${segment({ ...forge.claims, role: 'owner' })}.${signaturePart}`,
      'TOKEN_SIGNATURE_INVALID',
    ],
    [
      'of another header',
      `${segment({ ...forge.header, x: 1 })}.${payloadPart}.${signaturePart}`,
      'TOKEN_SIGNATURE_INVALID',
    ],
    ['empty', `${headerPart}.${payloadPart}.`, 'TOKEN_MALFORMED'],
    ['of zeros (CVE-2022-21449)', `${headerPart}.${payloadPart}.${zeros}`, 'TOKEN_SIGNATURE_INVALID'],
    ['in DER', `${headerPart}.${payloadPart}.${derSignature}`, 'TOKEN_SIGNATURE_INVALID'],
    ['cut short', `${headerPart}.${payloadPart}.${signaturePart.slice(0, 84)}`, 'TOKEN_SIGNATURE_INVALID'],
    [
      'with bytes added',
      `${headerPart}.${payloadPart}.${signaturePart.slice(0, 84)}${segment('xxxx')}`,
      'TOKEN_SIGNATURE_INVALID',
    ],
  ],
  'the spelling': [
    ['padding after the header', `${headerPart}=.${payloadPart}.${signaturePart}`, 'TOKEN_MALFORMED'],
    ['padding after the payload, signed', forge.signed(headerPart, `${payloadPart}=`), 'TOKEN_MALFORMED'],
    ['padding after the signature', `${good}==`, 'TOKEN_MALFORMED'],
    [
      'a non-canonical signature',
      `${headerPart}.${payloadPart}.${nonCanonical(signaturePart)}`,
      'TOKEN_MALFORMED',
    ],
    [
      'a non-canonical header, signed',
      forge.signed(nonCanonical(strayHeader), payloadPart),
      'TOKEN_MALFORMED',
    ],
    [
      'a non-canonical payload, signed',
      forge.signed(headerPart, nonCanonical(strayPayload)),
      'TOKEN_MALFORMED',
    ],
    ['a surplus character, signed', forge.signed(headerPart, `${wholePayload}A`), 'TOKEN_MALFORMED'],
    ['+ of plain base64', forge.signed(headerPart, `${payloadPart.slice(0, -4)}A+AA`), 'TOKEN_MALFORMED'],
    ['/ of plain base64', forge.signed(headerPart, `${payloadPart.slice(0, -4)}A/AA`), 'TOKEN_MALFORMED'],
    ['a space before', ` ${good}`, 'TOKEN_MALFORMED'],
    ['a line break after', `${good}\n`, 'TOKEN_MALFORMED'],
    [
      'a line break within, signed',
      forge.signed(headerPart, `${payloadPart.slice(0, 8)}\n${payloadPart.slice(8)}`),
      'TOKEN_MALFORMED',
    ],
    ['a NUL within', `${headerPart}\0.${payloadPart}.${signaturePart}`, 'TOKEN_MALFORMED'],
    ['a full-width letter', good.replace('e', 'ｅ'), 'TOKEN_MALFORMED'],
    ['percent encoding', good.replaceAll('.', '%2E'), 'TOKEN_MALFORMED'],
    ['two parts', `${headerPart}.${payloadPart}`, 'TOKEN_MALFORMED'],
    ['four parts', `${good}.${signaturePart}`, 'TOKEN_MALFORMED'],
    ['five parts, as a JWE', `${headerPart}.${payloadPart}.${signaturePart}.AAAA.AAAA`, 'TOKEN_MALFORMED'],
    [
      'the JSON serialization',
      JSON.stringify({ protected: headerPart, payload: payloadPart, signature: signaturePart }),
      'TOKEN_MALFORMED',
    ],
    ['a token in quotes', `"${good}"`, 'TOKEN_MALFORMED'],
    ['nothing', '', 'TOKEN_MALFORMED'],
    ['dots alone', '..', 'TOKEN_MALFORMED'],
    ['more than 8 KiB, signed', forge.token({ filler: 'x'.repeat(8 * 1024) }), 'TOKEN_TOO_LARGE'],
    ['a header of 5,000 open brackets', forge.headed('['.repeat(5000)), 'TOKEN_MALFORMED'],
  ],
  'the JSON': [
    ['a claim twice', forge.payload(twice(claimsText, '"role":"owner"')), 'TOKEN_MALFORMED'],
    [
      'a claim twice, once escaped',
      forge.payload(twice(claimsText, '"\\u0072ole":"owner"')),
      'TOKEN_MALFORMED',
    ],
    ['exp twice', forge.payload(twice(claimsText, `"exp":${now + 800}`)), 'TOKEN_MALFORMED'],
    ['a name twice in a nested claim', spelt('extra', '{"a":[{"b":1,"b":2}]}'), 'TOKEN_MALFORMED'],
    ['alg twice in the header', forge.headed(twice(headerText, '"alg":"ES256"')), 'TOKEN_MALFORMED'],
    ['kid twice in the header', forge.headed(twice(headerText, '"kid":"forge"')), 'TOKEN_MALFORMED'],
    ['an array for claims', forge.payload(`[${claimsText}]`), 'TOKEN_MALFORMED'],
    ['null for claims', forge.payload('null'), 'TOKEN_MALFORMED'],
    ['a string for claims', forge.payload(JSON.stringify(claimsText)), 'TOKEN_MALFORMED'],
    ['no JSON', forge.payload('role=owner'), 'TOKEN_MALFORMED'],
    ['a trailing comma', forge.payload(`${claimsText.slice(0, -1)},}`), 'TOKEN_MALFORMED'],
    ['text after the object', forge.payload(`${claimsText}x`), 'TOKEN_MALFORMED'],
    ['a byte order mark', forge.payload(`\uFEFF${claimsText}`), 'TOKEN_MALFORMED'],
    [
      'bytes that are no UTF-8',
      forge.payload(Buffer.from(claimsText.replace('Robin', 'Robi\xff'), 'latin1')),
      'TOKEN_MALFORMED',
    ],
    ['a nested token as payload', forge.payload(good), 'TOKEN_MALFORMED'],
  ],
  'the kind of token': [
    ['typ JWT', forge.token({}, { typ: 'JWT' }), 'TOKEN_TYPE_REFUSED'],
    ['no typ', forge.token({}, { typ: undefined }), 'TOKEN_TYPE_REFUSED'],
    ['typ AT+JWT', forge.token({}, { typ: 'AT+JWT' }), 'TOKEN_TYPE_REFUSED'],
    ['typ application/at+jwt', forge.token({}, { typ: 'application/at+jwt' }), 'TOKEN_TYPE_REFUSED'],
    ['a challenge', forge.token({}, { typ: 'challenge+jwt' }), 'TOKEN_TYPE_REFUSED'],
    ['an invitation', forge.token({}, { typ: 'invitation+jwt' }), 'TOKEN_TYPE_REFUSED'],
    ['typ an array', forge.token({}, { typ: ['at+jwt'] }), 'TOKEN_TYPE_REFUSED'],
    ['crit with b64', forge.token({}, { crit: ['b64'], b64: true }), 'TOKEN_EXTENSION_REFUSED'],
    ['crit with exp', forge.token({}, { crit: ['exp'] }), 'TOKEN_EXTENSION_REFUSED'],
    ['crit empty', forge.token({}, { crit: [] }), 'TOKEN_EXTENSION_REFUSED'],
    ['crit null', forge.token({}, { crit: null }), 'TOKEN_EXTENSION_REFUSED'],
  ],
  'who and for whom': [
    ['another issuer', forge.token({ iss: 'https://evil.test' }), 'TOKEN_CLAIM_INVALID'],
    ['the issuer with a slash', forge.token({ iss: `${forge.issuer}/` }), 'TOKEN_CLAIM_INVALID'],
    ['no issuer', forge.token({ iss: undefined }), 'TOKEN_CLAIM_INVALID'],
    ['issuers in an array', forge.token({ iss: [forge.issuer] }), 'TOKEN_CLAIM_INVALID'],
    ['another audience', forge.token({ aud: 'other' }), 'TOKEN_CLAIM_INVALID'],
    ['the audience in an array', forge.token({ aud: ['tenantry'] }), 'TOKEN_CLAIM_INVALID'],
    ['several audiences', forge.token({ aud: ['tenantry', 'other'] }), 'TOKEN_CLAIM_INVALID'],
    ['no audience', forge.token({ aud: undefined }), 'TOKEN_CLAIM_INVALID'],
    ['no sub', forge.token({ sub: undefined }), 'TOKEN_CLAIM_INVALID'],
    ['an empty sub', forge.token({ sub: '' }), 'TOKEN_CLAIM_INVALID'],
    ['sub a number', forge.token({ sub: 1 }), 'TOKEN_CLAIM_INVALID'],
    ['no sid', forge.token({ sid: undefined }), 'TOKEN_CLAIM_INVALID'],
    ['sid an object', forge.token({ sid: {} }), 'TOKEN_CLAIM_INVALID'],
    ['organizationId empty', forge.token({ organizationId: '' }), 'TOKEN_CLAIM_INVALID'],
    ['organizationId an array', forge.token({ organizationId: ['a'] }), 'TOKEN_CLAIM_INVALID'],
    ['role an array', forge.token({ role: ['owner'] }), 'TOKEN_CLAIM_INVALID'],
    ['amr text', forge.token({ amr: 'otp' }), 'TOKEN_CLAIM_INVALID'],
    ['amr of numbers', forge.token({ amr: [1] }), 'TOKEN_CLAIM_INVALID'],
    ['auth_time text', forge.token({ auth_time: String(now) }), 'TOKEN_CLAIM_INVALID'],
    ['auth_time without end', spelt('auth_time', '1e400'), 'TOKEN_CLAIM_INVALID'],
  ],
  'what a key may do': [
    ['a kind of its own', forge.token({ kind: 'operator' }), 'TOKEN_CLAIM_INVALID'],
    ['a kind in other case', serviceToken({ kind: 'Service' }), 'TOKEN_CLAIM_INVALID'],
    ['a kind of constructor', forge.token({ kind: 'constructor' }), 'TOKEN_CLAIM_INVALID'],
    ['an empty kind', forge.token({ kind: '' }), 'TOKEN_CLAIM_INVALID'],
    ['kinds in an array', serviceToken({ kind: ['service'] }), 'TOKEN_CLAIM_INVALID'],
    ['kind true', forge.token({ kind: true }), 'TOKEN_CLAIM_INVALID'],
    ['kind twice', forge.payload(twice(claimsText, '"kind":"user","kind":"service"')), 'TOKEN_MALFORMED'],
    ['no base role', serviceToken({ base: undefined }), 'TOKEN_CLAIM_INVALID'],
    ['a base role null', serviceToken({ base: null }), 'TOKEN_CLAIM_INVALID'],
    ['an empty base role', serviceToken({ base: '' }), 'TOKEN_CLAIM_INVALID'],
    ['base roles in an array', serviceToken({ base: ['admin'] }), 'TOKEN_CLAIM_INVALID'],
    ['an owner as base role', serviceToken({ base: 'owner' }), 'TOKEN_CLAIM_INVALID'],
    ['no scope', serviceToken({ scope: undefined }), 'TOKEN_CLAIM_INVALID'],
    ['a scope null', serviceToken({ scope: null }), 'TOKEN_CLAIM_INVALID'],
    ['an empty scope', serviceToken({ scope: '' }), 'TOKEN_CLAIM_INVALID'],
    ['a blank scope', serviceToken({ scope: ' ' }), 'TOKEN_CLAIM_INVALID'],
    ['a scope in an array', serviceToken({ scope: ['invoices:read'] }), 'TOKEN_CLAIM_INVALID'],
    ['everything beside a permission', serviceToken({ scope: '* invoices:read' }), 'TOKEN_CLAIM_INVALID'],
    ['everything twice', serviceToken({ scope: '* *' }), 'TOKEN_CLAIM_INVALID'],
    ['two blanks', serviceToken({ scope: 'invoices:read  invoices:write' }), 'TOKEN_CLAIM_INVALID'],
    ['a line break', serviceToken({ scope: 'invoices:read\ninvoices:write' }), 'TOKEN_CLAIM_INVALID'],
    ['a blank at the end', serviceToken({ scope: 'invoices:read ' }), 'TOKEN_CLAIM_INVALID'],
    ['a quote', serviceToken({ scope: 'invoices:read" x="' }), 'TOKEN_CLAIM_INVALID'],
    ['the role of an owner', serviceToken({ role: 'owner' }), 'TOKEN_CLAIM_INVALID'],
    ['no role', serviceToken({ role: undefined }), 'TOKEN_CLAIM_INVALID'],
  ],
  'the time': [
    ['expired by more than the skew', forge.token({ iat: now - 100, exp: now - 5 }), 'TOKEN_EXPIRED'],
    ['no exp', forge.token({ exp: undefined }), 'TOKEN_CLAIM_INVALID'],
    ['exp null', forge.token({ exp: null }), 'TOKEN_CLAIM_INVALID'],
    ['exp text', forge.token({ exp: String(now + 900) }), 'TOKEN_CLAIM_INVALID'],
    ['exp 1e400', spelt('exp', '1e400'), 'TOKEN_CLAIM_INVALID'],
    ['exp -1e400', spelt('exp', '-1e400'), 'TOKEN_CLAIM_INVALID'],
    ['exp with a fraction', forge.token({ exp: now + 0.5 }), 'TOKEN_CLAIM_INVALID'],
    ['exp beyond the safe integers', spelt('exp', '9007199254740993'), 'TOKEN_CLAIM_INVALID'],
    ['exp in milliseconds', forge.token({ exp: (now + 900) * 1000 }), 'TOKEN_CLAIM_INVALID'],
    ['a lifetime of 901 s', forge.token({ exp: now + 901 }), 'TOKEN_CLAIM_INVALID'],
    ['exp before iat', forge.token({ iat: now, exp: now - 1 }), 'TOKEN_CLAIM_INVALID'],
    ['no iat', forge.token({ iat: undefined }), 'TOKEN_CLAIM_INVALID'],
    ['iat text', forge.token({ iat: String(now) }), 'TOKEN_CLAIM_INVALID'],
    ['iat 1e400', spelt('iat', '1e400'), 'TOKEN_CLAIM_INVALID'],
    ['iat negative', forge.token({ iat: -1, exp: 800 }), 'TOKEN_CLAIM_INVALID'],
    ['iat in the future', forge.token({ iat: now + 6, exp: now + 600 }), 'TOKEN_NOT_YET_VALID'],
    ['nbf in the future', forge.token({ nbf: now + 6 }), 'TOKEN_NOT_YET_VALID'],
    ['nbf text', forge.token({ nbf: 'now' }), 'TOKEN_CLAIM_INVALID'],
  ],
};

/** A token that brings along the key it is signed with. */
function ownKey(header: Fields): string {
  const input = `${segment({ ...forge.header, ...header })}.${payloadPart}`;
  return `${input}.${signEs256(input, otherKeys.privateKey)}`;
}
