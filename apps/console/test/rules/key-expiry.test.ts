import { expect, test } from 'vitest';
import { dayAhead, expiryAt, expiryOf } from '../../src/access/key-expiry.ts';

const now = Date.parse('2026-11-28T22:30:00Z');
const stockholm = 'Europe/Stockholm';
const hours = (from: Date | undefined) => ((from?.getTime() ?? NaN) - now) / 3_600_000;

test('a key is marked two weeks before it ends, and from its end on', () => {
  expect(expiryOf('2026-12-12T22:30:00.000Z', now)).toBe('later');
  expect(expiryOf('2026-12-12T22:29:59.999Z', now)).toBe('soon');
  expect(expiryOf('2026-11-28T22:30:00.001Z', now)).toBe('soon');
  expect(expiryOf('2026-11-28T22:30:00.000Z', now)).toBe('expired');
});

test('days are those of the reader', () => {
  expect(dayAhead(0, now, 'UTC')).toBe('2026-11-28');
  expect(dayAhead(1, now, stockholm)).toBe('2026-11-29');
  expect(dayAhead(1, now + 3_600_000, stockholm)).toBe('2026-11-30');
});

test('a key ends with the chosen day, and after a year at most', () => {
  expect(expiryAt('2027-02-26', now, stockholm)?.toISOString()).toBe('2027-02-26T22:59:59.999Z');
  expect(expiryAt('2026-11-28', now, stockholm)?.toISOString()).toBe('2026-11-28T22:59:59.999Z');
  expect(expiryAt('2027-11-28', now, stockholm)?.toISOString()).toBe('2027-11-28T22:59:59.999Z');
  expect(hours(expiryAt('2027-11-28', now, 'America/New_York'))).toBeLessThan(366 * 24);
  const afterMidnight = Date.parse('2026-11-28T23:00:01Z');
  expect(expiryAt('2027-11-29', afterMidnight, stockholm)?.getTime()).toBe(
    afterMidnight + (366 * 24 - 1) * 3_600_000,
  );
});

test.each(['', '2026-11-27', '2027-11-29', 'tomorrow'])('no key ends with %j', (day) => {
  expect(expiryAt(day, now, stockholm)).toBeUndefined();
});
