import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SecretRing } from '../src/ground/secrets/auth-secret.ts';
import { RefreshTokens } from '../src/sessions/refresh/refresh-tokens.ts';

const former = 'Yc3m8xQ1zR5tY7uN2kL9pW4sD6fH0jC+aE=former';
const current = 'Zc3m8xQ1zR5tY7uN2kL9pW4sD6fH0jC+aE=current';
const tokens = new RefreshTokens(new SecretRing(current));
const someId = fc.record({
  userId: fc.uuid(),
  sessionId: fc.uuid(),
  generation: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
});

describe('a refresh token', () => {
  test('is read as what it was made for', () => {
    fc.assert(
      fc.property(someId, (id) => {
        const { token, hash } = tokens.make(id);
        expect(token).toMatch(/^trt_[\w-]{91}$/);
        expect(tokens.read(token)).toEqual({ ...id, hash, isOfCurrentSecret: true });
      }),
    );
  });

  test('is refused with any one character changed, added or left out', () => {
    const alphabet = fc.constantFrom(
      ...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=. '),
    );
    fc.assert(
      fc.property(someId, fc.nat(94), alphabet, (id, position, character) => {
        const { token } = tokens.make(id);
        const head = token.slice(0, position);
        fc.pre(token[position] !== character);
        expect(tokens.read(head + character + token.slice(position + 1))).toBeUndefined();
        expect(tokens.read(head + character + token.slice(position))).toBeUndefined();
        expect(tokens.read(head + token.slice(position + 1))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('is refused when it was made under another secret', () => {
    const { token } = new RefreshTokens(new SecretRing(former)).make({
      userId: '11111111-1111-4111-8111-111111111111',
      sessionId: '22222222-2222-4222-8222-222222222222',
      generation: 7,
    });
    expect(tokens.read(token)).toBeUndefined();
  });

  test('stays valid under a rotated secret, and is recreated byte by byte from its stored hash', () => {
    fc.assert(
      fc.property(someId, (id) => {
        const old = new RefreshTokens(new SecretRing(former)).make(id);
        const rotated = new RefreshTokens(new SecretRing(current, [former]));
        expect(rotated.read(old.token)).toMatchObject({ ...id, isOfCurrentSecret: false });
        expect(rotated.remake(id, old.hash)).toBe(old.token);
        expect(rotated.make(id).token).not.toBe(old.token);
        expect(tokens.remake(id, old.hash)).toBeUndefined();
      }),
    );
  });
});
