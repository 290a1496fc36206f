import fc from 'fast-check';
import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { matchTimeStep, newTotpSecret, qrCodeOf, totpUri } from '../src/sign-in/second-factors/totp.ts';
import { codeAt } from './support/authenticator.ts';
import { decodeQrCode } from './support/qr-code.ts';

/** RFC 6238, appendix B: the ASCII secret 12345678901234567890, of whose eight digits an app shows the last six. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const vectors = [
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
] as const;

const at = (seconds: number) => new Date(seconds * 1_000);

describe('a code', () => {
  test.each(vectors)('is right at %i s, as RFC 6238 says [S-26]', (seconds, digits) => {
    const code = digits.slice(-6);
    expect(generateSync({ secret, epoch: seconds, digits: 8 })).toBe(digits);
    const timeStep = Math.floor(seconds / 30);
    expect(matchTimeStep({ secret, code, at: at(seconds), afterTimeStep: 0 })).toBe(timeStep);
  });

  test('is accepted one step early and one step late, and not beyond [S-26]', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_600_000_000, max: 4_000_000_000 }),
        fc.integer({ min: -4, max: 4 }),
        (seconds, steps) => {
          const code = codeAt(secret, at(seconds + 30 * steps));
          const matched = matchTimeStep({ secret, code, at: at(seconds), afterTimeStep: 0 });
          const current = Math.floor(seconds / 30);
          const near = [-1, 0, 1].filter((n) => codeAt(secret, at(seconds + 30 * n)) === code);
          expect(matched).toBe(near.length === 0 ? undefined : current + near[0]!);
          if (Math.abs(steps) <= 1) expect(matched).toBeDefined();
        },
      ),
    );
  });

  test('of a step that was used, or an earlier one, no longer counts', () => {
    const seconds = 1_800_000_015;
    const current = Math.floor(seconds / 30);
    for (const step of [-1, 0, 1]) {
      const code = codeAt(secret, at(seconds + 30 * step));
      const match = (afterTimeStep: number) =>
        matchTimeStep({ secret, code, at: at(seconds), afterTimeStep });
      expect(match(current + step - 1)).toBe(current + step);
      expect(match(current + step)).toBeUndefined();
      expect(match(current + 1)).toBeUndefined();
    }
  });

  test('is refused, and nothing breaks, when the clock was set back behind the step last used', () => {
    const seconds = 1_800_000_015;
    const code = codeAt(secret, at(seconds));
    const afterTimeStep = Math.floor(seconds / 30) + 2_880;
    expect(matchTimeStep({ secret, code, at: at(seconds), afterTimeStep })).toBeUndefined();
  });
});

describe('a secret', () => {
  test('has 160 bits and is another one each time [S-26]', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(100);
    // 32 characters of 5 bits, without padding.
    for (const made of secrets) expect(made).toMatch(/^[A-Z2-7]{32}$/);
  });
});

describe('the QR code', () => {
  test.each([
    'ada@example.com',
    "o'neill+tag&co=%41@example.com",
    'ådå@exämple.com',
    `${'a'.repeat(242)}@example.com`,
  ])('of %s reads back as the URI, which names the account, the secret and the issuer', async (email) => {
    const uri = totpUri({ secret, email });
    const read = decodeQrCode(await qrCodeOf(uri));
    expect(read).toBe(uri);

    const { protocol, host, pathname, searchParams } = new URL(read);
    expect([protocol, host]).toEqual(['otpauth:', 'totp']);
    expect(decodeURIComponent(pathname)).toBe(`/Tenantry:${email}`);
    expect(searchParams.get('secret')).toBe(secret);
    expect(searchParams.get('issuer')).toBe('Tenantry');
    // What is left out means SHA-1, 6 digits and 30 s to every app.
    expect(searchParams.get('algorithm') ?? 'SHA1').toBe('SHA1');
    expect(searchParams.get('digits') ?? '6').toBe('6');
    expect(searchParams.get('period') ?? '30').toBe('30');
  });
});
