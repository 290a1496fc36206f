import { describe, expect, test } from 'vitest';
import {
  backupCodePattern,
  hashBackupCode,
  newBackupCodes,
  tidyBackupCode,
} from '../src/sign-in/second-factors/backup-codes.ts';
import { afterWrongCode } from '../src/sign-in/second-factors/second-factor.ts';

describe('backup codes', () => {
  test('are ten at a time, of 120 bits each, in groups that can be typed [S-30]', () => {
    const codes = newBackupCodes();
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{6}-){3}[0-9A-HJKMNP-TV-Z]{6}$/);
    // Each of the 32 characters turns up about as often as any other: 24,000 of them, 750 each.
    const characters = Array.from({ length: 100 }, newBackupCodes).flat().join('').replaceAll('-', '');
    const counts = [...new Set(characters)].map((character) => characters.split(character).length - 1);
    expect(counts).toHaveLength(32);
    expect(Math.min(...counts)).toBeGreaterThan(550);
    expect(Math.max(...counts)).toBeLessThan(950);
  });

  test('count however they are typed', () => {
    const [code = ''] = newBackupCodes();
    const typed = [
      code.toLowerCase(),
      code.replaceAll('-', ' '),
      ` ${code.replaceAll('-', '')} `,
      code.replaceAll('0', 'o').replaceAll('1', 'l'),
      code.replaceAll('0', 'O').replaceAll('1', 'I'),
    ];
    for (const text of typed) {
      expect(hashBackupCode(text)).toEqual(hashBackupCode(code));
      expect(tidyBackupCode(text)).toMatch(new RegExp(`^${backupCodePattern}$`));
    }
  });
});

test('the tenth wrong code in a row locks for 15 minutes, and the count starts over', () => {
  const at = new Date('2026-01-01T00:00:00Z');
  let failures = 0;
  for (let n = 1; n <= 9; n += 1) {
    const outcome = afterWrongCode(failures, at);
    expect(outcome).toEqual({ failures: n, lockedUntil: null });
    failures = outcome.failures;
  }
  expect(afterWrongCode(failures, at)).toEqual({
    failures: 0,
    lockedUntil: new Date('2026-01-01T00:15:00Z'),
  });
});
