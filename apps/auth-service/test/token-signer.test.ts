import { generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { createTokenSigners } from '../src/tokens/access-tokens/token-signer.plugin.ts';

const keyOf = (kid: string) => ({ kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) });
const key = keyOf('one');
const signerOf = createTokenSigners();

describe('a signed access token', () => {
  // One signature in 128 has an integer that DER writes shorter than 32 bytes.
  it('is one that another library verifies, however long the integers of its signature are', async () => {
    const sign = await signerOf(key);
    const tokens = Array.from({ length: 1_000 }, (_, n) => sign({ n, iat: 1 }));
    const verified = await Promise.all(tokens.map((token) => jwtVerify(token, key.publicKey)));
    expect(verified.map(({ payload }) => payload['n'])).toEqual(tokens.map((_, n) => n));
  });

  it('names its algorithm, its key and its type, and carries the claims as they are', async () => {
    const claims = {
      iat: 1_700_000_000,
      sub: 'ada',
      name: 'Ada “Ø” 🦉',
      organizationId: null,
      amr: ['pwd', 'otp'],
    };
    const token = (await signerOf(key))(claims);
    const { protectedHeader, payload } = await jwtVerify(token, key.publicKey);
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'one', typ: 'at+jwt' });
    expect(payload).toEqual(claims);
  });

  it('is signed by the key that is asked for, each with one signer, also while they alternate', async () => {
    const other = keyOf('two');
    for (const one of [key, other, key]) {
      const token = (await signerOf(one))({ sub: 'ada', iat: 1 });
      expect(decodeProtectedHeader(token).kid).toBe(one.kid);
      await jwtVerify(token, one.publicKey);
    }
    expect(await signerOf(key)).toBe(await signerOf(key));
    expect(await signerOf(key)).not.toBe(await signerOf(other));
  });
});
