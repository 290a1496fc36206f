import { afterAll, describe, expect, it } from 'vitest';
import { createVerifier, TokenError } from '@tenantry/jwt-verify';
import {
  clock,
  forge,
  good,
  headerPart,
  matrix,
  payloadPart,
  serviceClaims,
  signaturePart,
  strayHeader,
  strayPayload,
  wholePayload,
} from './mutations.ts';

const now = forge.nowSeconds;
const verifier = createVerifier({
  issuer: forge.issuer,
  jwks: forge.jwks,
  revocations: false,
  logger: { warn: () => undefined },
  clock,
});
afterAll(() => verifier.close());

async function refusal(token: string): Promise<TokenError> {
  const error: unknown = await verifier.verify(token).then(
    () => new Error('the token was accepted'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TokenError);
  return error as TokenError;
}

describe.each(Object.entries(matrix))('a token is refused for %s', (_subject, cases) => {
  it.each(cases)('%s [S-80, S-96]', async (_name, token, code) => {
    const error = await refusal(token);
    expect(error.code).toBe(code);
    expect(error.statusCode).toBe(401);
    expect(error.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/);
  });
});

describe('what the matrix starts from', () => {
  it('is accepted, so that each refusal is due to its one change', async () => {
    await expect(verifier.verify(good)).resolves.toMatchObject({ sessionId: forge.claims['sid'] });
    expect(strayHeader.length % 4).toBe(3);
    expect(strayPayload.length % 4).toBe(2);
    expect(wholePayload.length % 4).toBe(0);
    await expect(verifier.verify(forge.signed(headerPart, wholePayload))).resolves.toBeDefined();
    await expect(verifier.verify(forge.signed(strayHeader, strayPayload))).resolves.toBeDefined();
  });

  it('is accepted as the token of a service account, with the claims of one', async () => {
    await expect(verifier.verify(forge.token(serviceClaims))).resolves.toMatchObject({ kind: 'service' });
  });

  it('is accepted at the very edges of its time [S-82]', async () => {
    await expect(verifier.verify(forge.token({ iat: now + 5, exp: now + 905 }))).resolves.toBeDefined();
    await expect(verifier.verify(forge.token({ iat: now - 100, exp: now - 4 }))).resolves.toBeDefined();
    await expect(verifier.verify(forge.token({ nbf: now + 5 }))).resolves.toBeDefined();
  });

  it('is accepted with unknown claims and headers, which are not read', async () => {
    const token = forge.token({ extra: { a: [{ b: 1 }, { b: 2 }] } }, { jku: 'http://127.0.0.1:1', x: 1 });
    await expect(verifier.verify(token)).resolves.toBeDefined();
  });

  it.each([undefined, null, 7, {}, []])('is text: %j is refused, never a crash', async (value) => {
    expect((await refusal(value as string)).code).toBe('TOKEN_MALFORMED');
  });

  it('has more than fifty mutations [S-82]', () => {
    expect(Object.values(matrix).flat().length).toBeGreaterThan(50);
  });
});

describe('a good signature is accepted whatever its numbers look like', () => {
  // DER drops leading zeros and puts one before a high bit: each shape of each number is met here.
  it.each([
    ['r begins with a zero byte', (bytes: Buffer) => bytes[0] === 0],
    ['s begins with a zero byte', (bytes: Buffer) => bytes[32] === 0],
    [
      'both begin with a high bit',
      (bytes: Buffer) => bytes.readUInt8(0) > 0x7f && bytes.readUInt8(32) > 0x7f,
    ],
    ['neither does', (bytes: Buffer) => bytes.readUInt8(0) < 0x80 && bytes.readUInt8(32) < 0x80],
  ])('%s', async (_name, wanted) => {
    let token: string;
    do token = forge.token();
    while (!wanted(Buffer.from(token.split('.')[2] ?? '', 'base64url')));
    await expect(verifier.verify(token)).resolves.toBeDefined();
  });

  it.each([
    ['r is zero', 0],
    ['s is zero', 32],
  ])('and a bad one refused: %s', async (_name, at) => {
    const bytes = Buffer.from(signaturePart, 'base64url').fill(0, at, at + 32);
    const token = `${headerPart}.${payloadPart}.${bytes.toString('base64url')}`;
    expect((await refusal(token)).code).toBe('TOKEN_SIGNATURE_INVALID');
  });
});

describe('the identity of a token', () => {
  it('says who, where and by which session, and cannot be changed', async () => {
    const identity = await verifier.verify(good);
    expect(identity).toEqual({
      userId: forge.claims['sub'],
      email: 'robin@example.com',
      name: 'Robin',
      organizationId: forge.claims['organizationId'],
      organizationName: 'Example',
      role: 'member',
      kind: 'user',
      baseRole: null,
      scope: null,
      sessionId: forge.claims['sid'],
      issuedAt: now,
      expiresAt: now + 900,
      factors: ['pwd', 'otp'],
      level: 'aal2',
      authenticatedAt: now,
      binding: 'digest',
      claims: forge.claims,
    });
    expect(Object.isFrozen(identity) && Object.isFrozen(identity.factors)).toBe(true);
  });

  it('has every claim as it stands, your own included, and none can be changed', async () => {
    const department = { name: 'Sales', places: ['Oslo', 'Bergen'] };
    const { claims } = await verifier.verify(forge.token({ department }));
    expect(claims['department']).toEqual(department);
    expect(() => (claims['department'] as typeof department).places.push('Paris')).toThrow(TypeError);
    expect(() => Object.assign(claims, { role: 'owner' })).toThrow(TypeError);
  });

  it('has no organization when the token names none', async () => {
    const without = { organizationId: null, organizationName: null, role: null };
    await expect(verifier.verify(forge.token(without))).resolves.toMatchObject(without);
    const absent = { organizationId: undefined, organizationName: undefined, role: undefined };
    await expect(verifier.verify(forge.token(absent))).resolves.toMatchObject(without);
  });

  it('carries hostile display text as it is [S-89]', async () => {
    const name = '<script>"\\\u202e\u0000';
    await expect(verifier.verify(forge.token({ name }))).resolves.toMatchObject({ name });
  });
});

describe('a refusal', () => {
  it('names the claim, and tells the client no value', async () => {
    const error = await refusal(forge.token({ aud: 'secret-audience' }));
    expect(error.claim).toBe('aud');
    expect(error.message).toBe('A claim of the access token is missing or not accepted: aud.');
    expect(error.headers['www-authenticate']).toContain(error.message);
    expect(error.message + JSON.stringify(error.headers)).not.toContain('secret');
  });
});
