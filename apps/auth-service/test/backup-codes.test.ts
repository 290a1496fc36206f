import { describe, expect, test } from 'vitest';
import {
  backupCodePattern,
  hashBackupCode,
  newBackupCodes,
  tidyBackupCode,
} from '../src/two-factor/backup-codes.ts';
import {
  challengeTokenPattern,
  newChallengeToken,
  readChallengeToken,
} from '../src/two-factor/challenge-token.ts';
import { afterWrongCode } from '../src/two-factor/second-factor.ts';

describe('backup codes', () => {
  test('are ten at a time, of 120 bits each, in groups that can be typed', () => {
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

describe('a challenge token', () => {
  const userId = 'd5b1b7a4-5f0e-4d51-9c0e-0d8f0a4a7d11';
  const id = '0f0e0d0c-0b0a-4908-8706-050403020100';

  test('says where to look, and has 256 bits that nobody can guess', () => {
    const [one, other] = [newChallengeToken(userId, id), newChallengeToken(userId, id)];
    expect(one).not.toBe(other);
    expect(one).toMatch(new RegExp(challengeTokenPattern));
    expect(readChallengeToken(one)).toMatchObject({ userId, id });
    expect(readChallengeToken(one).hash).not.toEqual(readChallengeToken(other).hash);
  });

  test('is another one for any other spelling', () => {
    const token = newChallengeToken(userId, id);
    // The last character has two bits that decode to nothing.
    const respelled = ['A', 'B', 'C', 'D'].map((last) => token.slice(0, -1) + last);
    const hashes = new Set(respelled.map((text) => readChallengeToken(text).hash.toString('hex')));
    expect(hashes.size).toBe(4);
  });
});

test('the tenth wrong code in a row locks for 15 minutes, and the count begins anew', () => {
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
