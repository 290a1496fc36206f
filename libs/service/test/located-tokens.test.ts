import { describe, expect, test } from 'vitest';
import { LocatedTokens } from '@tenantry/service/tokens';

const place = { ownerId: 'd5b1b7a4-5f0e-4d51-9c0e-0d8f0a4a7d11', id: '0f0e0d0c-0b0a-4908-8706-050403020100' };
const tokens = new LocatedTokens('tst_');

describe('a token that names the row it opens', () => {
  test('says where to look, and has 256 bits that cannot be guessed [S-90]', () => {
    const [one, other] = [tokens.make(place), tokens.make(place)];
    expect(one.token).not.toBe(other.token);
    expect(one.token).toMatch(new RegExp(tokens.pattern));
    expect(tokens.read(one.token)).toEqual({ ...place, digest: one.digest });
    expect(one.digest).not.toEqual(other.digest);
    // The two ids and 32 bytes that differ from token to token.
    const bytes = [one, other].map(({ token }) => Buffer.from(token.slice(4), 'base64url'));
    expect(bytes.map((all) => all.length)).toEqual([64, 64]);
    expect(bytes[0]?.subarray(0, 32)).toEqual(bytes[1]?.subarray(0, 32));
    expect(bytes[0]?.subarray(32)).not.toEqual(bytes[1]?.subarray(32));
  });

  test('is another one for any other spelling', () => {
    const { token } = tokens.make(place);
    // The last character has four bits that decode to nothing.
    const respelled = ['A', 'B', 'C', 'D'].map((last) => token.slice(0, -1) + last);
    const digests = respelled.map((text) => tokens.read(text)?.digest.toString('hex'));
    expect(new Set(digests).size).toBe(4);
  });

  test('of one kind is none of another', () => {
    const { token, digest } = tokens.make(place);
    const others = new LocatedTokens('tsu_');
    expect(others.read(token)).toBeUndefined();
    expect(others.read(token.replace('tst_', 'tsu_'))?.digest).not.toEqual(digest);
  });

  test.each([
    '',
    'tst_',
    'tst_short',
    ` ${tokens.make(place).token}`,
    `${tokens.make(place).token}\n`,
    'tst_' + '!'.repeat(86),
  ])('is not %j', (text) => {
    expect(tokens.read(text)).toBeUndefined();
  });
});
