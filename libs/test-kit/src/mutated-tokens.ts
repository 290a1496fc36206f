import { createHmac, createSign, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';

/** A good access token, taken apart, and the key it is signed with. */
export interface TokenParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** What was changed, and the token that came of it. */
export type MutatedToken = readonly [change: string, token: string];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Makes of a good ES256 access token everything that no service may accept: each differs in one thing, and whatever
 * can be is signed with the right key. It shares no code with the verifying library.
 */
export function mutatedAccessTokens(parts: TokenParts): MutatedToken[] {
  return [...ofAlgorithm(parts), ...ofKey(parts), ...ofSpelling(parts), ...ofJson(parts), ...ofClaims(parts)];
}

/** Signs a token that differs from the good one in these claims and header parameters; undefined leaves one out. */
export function signedToken(parts: TokenParts, claims: Fields = {}, header: Fields = {}): string {
  return signed(parts, segment({ ...parts.header, ...header }), segment({ ...parts.claims, ...claims }));
}

function ofAlgorithm(parts: TokenParts): MutatedToken[] {
  const { publicKey } = parts;
  const payload = segment(parts.claims);
  const signature = signedToken(parts).split('.')[2] ?? '';
  const inputOf = (alg: unknown) => `${segment({ ...parts.header, alg })}.${payload}`;
  const hmac = (secret: string | Buffer, alg: string) =>
    `${inputOf(alg)}.${createHmac('sha256', secret).update(inputOf(alg)).digest('base64url')}`;
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const unsigned = ['none', 'None', 'NONE', 'nOnE'].flatMap((alg): MutatedToken[] => [
    [`alg ${alg}, unsigned`, `${inputOf(alg)}.`],
    [`alg ${alg}, the signature left on`, `${inputOf(alg)}.${signature}`],
  ]);
  return [
    ...unsigned,
    ['no alg', signedToken(parts, {}, { alg: undefined })],
    ['alg in lower case', signedToken(parts, {}, { alg: 'es256' })],
    ['alg ES256K', signedToken(parts, {}, { alg: 'ES256K' })],
    ['HS256 with the public PEM', hmac(publicKey.export({ type: 'spki', format: 'pem' }), 'HS256')],
    ['HS256 with the public DER', hmac(publicKey.export({ type: 'spki', format: 'der' }), 'HS256')],
    ['HS256 with the JWK', hmac(JSON.stringify(publicKey.export({ format: 'jwk' })), 'HS256')],
    ['HS256 with nothing', hmac('', 'HS256')],
    ['an HMAC named ES256', hmac(publicKey.export({ type: 'spki', format: 'pem' }), 'ES256')],
    [
      'RS256',
      `${inputOf('RS256')}.${createSign('sha256').update(inputOf('RS256')).sign(rsa.privateKey, 'base64url')}`,
    ],
  ];
}

function ofKey(parts: TokenParts): MutatedToken[] {
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = stranger.publicKey.export({ format: 'jwk' });
  const byStranger = (header: Fields) =>
    signedToken({ ...parts, privateKey: stranger.privateKey }, {}, header);
  return [
    ['another key', byStranger({})],
    ['a key of its own in jwk', byStranger({ jwk })],
    ['a key of its own at jku', byStranger({ jku: 'http://127.0.0.1:9/jwks' })],
    ['a key of its own at x5u', byStranger({ x5u: 'http://127.0.0.1:9/cert' })],
    ['no kid', signedToken(parts, {}, { kid: undefined })],
    ['an unknown kid', signedToken(parts, {}, { kid: 'unknown' })],
    [
      'kid __proto__',
      signed(parts, segment('{"alg":"ES256","typ":"at+jwt","kid":"__proto__"}'), segment(parts.claims)),
    ],
    ['kid SQL', signedToken(parts, {}, { kid: "' OR 1=1 --" })],
    ['kid a path', signedToken(parts, {}, { kid: '../../../dev/null' })],
    ['kid in an array', signedToken(parts, {}, { kid: [parts.header['kid']] })],
    ['crit', signedToken(parts, {}, { crit: ['exp'] })],
    ['b64 false', signedToken(parts, {}, { crit: ['b64'], b64: false })],
  ];
}

function ofSpelling(parts: TokenParts): MutatedToken[] {
  const good = signedToken(parts);
  const [header = '', payload = '', signature = ''] = good.split('.');
  const promoted = segment({ ...parts.claims, role: 'owner', sub: randomUUID() });
  const der = createSign('sha256').update(`${header}.${payload}`).sign(parts.privateKey, 'base64url');
  return [
    ['other claims under the signature', `${header}.${promoted}.${signature}`],
    ['no signature', `${header}.${payload}.`],
    ['a signature of zeros', `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`],
    ['a signature in DER', `${header}.${payload}.${der}`],
    ['a signature cut short', good.slice(0, -3)],
    ['a signature with another spelling', `${good.slice(0, -1)}${nextLetter(good.slice(-1))}`],
    ['padding', `${good}==`],
    ['padding, signed', signed(parts, header, `${payload}=`)],
    ['quotes', `"${good}"`],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${good}.${signature}`],
    ['percent encoding', good.replaceAll('.', '%2E')],
    ['more than 8 KiB', signedToken(parts, { filler: 'x'.repeat(8 * 1024) })],
  ];
}

function ofJson(parts: TokenParts): MutatedToken[] {
  const header = segment(parts.header);
  const text = JSON.stringify(parts.claims);
  const spelt = (payload: string | Uint8Array) => signed(parts, header, segment(payload));
  const withMember = (member: string) => spelt(`${text.slice(0, -1)},${member}}`);
  return [
    ['role twice', withMember('"role":"owner"')],
    ['role twice, once escaped', withMember('"\\u0072ole":"owner"')],
    ['exp without end', spelt(text.replace(/"exp":\d+/, '"exp":1e400'))],
    ['claims in an array', spelt(`[${text}]`)],
    ['claims null', spelt('null')],
    ['a token within', spelt(signedToken(parts))],
    ['a byte order mark', spelt(`\uFEFF${text}`)],
    ['bytes that are no UTF-8', spelt(Buffer.from(text.replace('"role"', '"role\xff"'), 'latin1'))],
  ];
}

function ofClaims(parts: TokenParts): MutatedToken[] {
  const iat = Number(parts.claims['iat']);
  const changes: Readonly<Record<string, Fields>> = {
    'another issuer': { iss: 'https://evil.example' },
    'the issuer with a slash': { iss: `${String(parts.claims['iss'])}/` },
    'no issuer': { iss: undefined },
    'another audience': { aud: 'other' },
    'the audience in an array': { aud: ['tenantry'] },
    'no audience': { aud: undefined },
    'no sub': { sub: undefined },
    'an empty sub': { sub: '' },
    'no sid': { sid: undefined },
    'role in an array': { role: ['owner'] },
    'a kind that there is not': { kind: 'operator' },
    'kinds in an array': { kind: ['user'] },
    expired: { iat: iat - 1_000, exp: iat - 100 },
    'no exp': { exp: undefined },
    'exp as text': { exp: String(iat + 900) },
    'exp in milliseconds': { exp: (iat + 900) * 1_000 },
    'a lifetime of 901 s': { exp: iat + 901 },
    'no iat': { iat: undefined },
    'iat in the future': { iat: iat + 600, exp: iat + 1_200 },
    'nbf in the future': { nbf: iat + 600 },
  };
  const kinds = ['JWT', undefined, 'AT+JWT', 'challenge+jwt', 'invitation+jwt'];
  return [
    ...Object.entries(changes).map(([name, claims]): MutatedToken => [name, signedToken(parts, claims)]),
    ...kinds.map((typ): MutatedToken => [`typ ${typ ?? 'absent'}`, signedToken(parts, {}, { typ })]),
  ];
}

/** Changes an opaque token in each of the ways that a guesser would: a letter anywhere, its length, its prefix. */
export function mutatedOpaqueTokens(token: string): MutatedToken[] {
  const prefix = /^[a-z]+_/.exec(token)?.[0] ?? '';
  const body = token.slice(prefix.length);
  const letters = Array.from({ length: 12 }, (_, n) => Math.floor((n * (body.length - 1)) / 11));
  return [
    ...letters.map((at): MutatedToken => [
      `another letter at ${at}`,
      `${prefix}${body.slice(0, at)}${nextLetter(body.slice(at, at + 1))}${body.slice(at + 1)}`,
    ]),
    ['cut short', token.slice(0, -1)],
    ['a letter more', `${token}A`],
    ['padding', `${token}=`],
    ['another prefix', `trx_${body}`],
    ...(prefix === '' ? [] : [['no prefix', body] as const]),
    ['upper case', token.toUpperCase()],
    ['reversed', Array.from(token).reverse().join('')],
    ['another of its form', prefix + Array.from(body, nextLetter).join('')],
  ];
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** As the last letter of a token it spells the same bytes, where the old one left bits over. */
function nextLetter(letter: string): string {
  return alphabet[(alphabet.indexOf(letter) ^ 1) & 63] ?? 'A';
}

function segment(content: string | Fields | Uint8Array): string {
  const bytes =
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
  return Buffer.from(bytes).toString('base64url');
}

function signed({ privateKey }: TokenParts, header: string, payload: string): string {
  const input = `${header}.${payload}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}
