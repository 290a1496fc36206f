import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { secondsToNextCode } from '../../src/sessions/next-code.ts';

test('the next code comes with the next half minute, at any moment', () => {
  expect(secondsToNextCode(Date.parse('2026-11-20T12:00:00Z'))).toBe(30);
  expect(secondsToNextCode(Date.parse('2026-11-20T12:00:29.999Z'))).toBe(1);
  fc.assert(
    fc.property(fc.date({ min: new Date(0), noInvalidDate: true }), (moment) => {
      const seconds = secondsToNextCode(moment.getTime());
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(30);
      expect(Math.floor(moment.getTime() / 1_000 + seconds) % 30).toBe(0);
    }),
  );
});
