import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfDay, startOfDay } from '../../src/design/day-start.ts';

const days = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('a day', () => {
  test.each([
    ['2026-11-24', 'UTC', '2026-11-24T00:00:00.000Z'],
    ['2026-11-24', 'Europe/Stockholm', '2026-11-23T23:00:00.000Z'],
    ['2026-03-29', 'Europe/Stockholm', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Stockholm', '2026-03-29T22:00:00.000Z'],
    ['2026-11-24', 'Pacific/Pago_Pago', '2026-11-24T11:00:00.000Z'],
    ['2026-11-24', 'Pacific/Kiritimati', '2026-11-23T10:00:00.000Z'],
    ['2026-11-24', 'Asia/Kathmandu', '2026-11-23T18:15:00.000Z'],
  ])('%s in %s begins at %s', (day, timeZone, start) => {
    expect(startOfDay(day, timeZone).toISOString()).toBe(start);
  });

  test('ends as the next one begins, 23 to 25 hours later', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Stockholm',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Tokyo',
    );
    fc.assert(
      fc.property(days, zones, (day, zone) => {
        const hours = (endOfDay(day, zone).getTime() - startOfDay(day, zone).getTime()) / 3_600_000;
        expect(hours).toBeGreaterThanOrEqual(23);
        expect(hours).toBeLessThanOrEqual(25);
      }),
    );
  });

  test('begins at midnight, or at the first moment after it, in any time zone', () => {
    const zones = [
      'Pacific/Pago_Pago',
      'America/St_Johns',
      'UTC',
      'Europe/Stockholm',
      'Asia/Kathmandu',
      'Pacific/Kiritimati',
    ];
    fc.assert(
      fc.property(days, fc.constantFrom(...zones), (day, timeZone) => {
        const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
        const start = startOfDay(day, timeZone).getTime();
        expect(format.format(start)).toBe(day);
        expect(format.format(start - 1) < day).toBe(true);
      }),
      { examples: [['2011-12-31', 'Pacific/Apia']] },
    );
  });
});
