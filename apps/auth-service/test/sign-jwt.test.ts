import { generateKeyPairSync } from 'node:crypto';
import { jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { signJwt } from '../src/tokens/access-tokens/sign-jwt.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

describe('a signed access token', () => {
  // One signature in 128 has an integer that DER writes shorter than 32 bytes.
  it('is one that another library verifies, however long the integers of its signature are', async () => {
    const tokens = Array.from({ length: 1_000 }, (_, n) => signJwt({ kid: 'one', privateKey }, { n }));
    const verified = await Promise.all(tokens.map((token) => jwtVerify(token, publicKey)));
    expect(verified.map(({ payload }) => payload['n'])).toEqual(tokens.map((_, n) => n));
  });

  it('names its algorithm, its key and its type, and carries the claims as they are', async () => {
    const claims = { sub: 'ada', name: 'Ada “Ø” 🦉', organizationId: null, amr: ['pwd', 'otp'] };
    const { protectedHeader, payload } = await jwtVerify(
      signJwt({ kid: 'one', privateKey }, claims),
      publicKey,
    );
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'one', typ: 'at+jwt' });
    expect(payload).toEqual(claims);
  });
});
