import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfDay, startOfDay } from '../../src/activity/day-start.ts';

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
    const days = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, zones, (date, zone) => {
        const day = date.toISOString().slice(0, 10);
        const hours = (endOfDay(day, zone).getTime() - startOfDay(day, zone).getTime()) / 3_600_000;
        expect(hours).toBeGreaterThanOrEqual(23);
        expect(hours).toBeLessThanOrEqual(25);
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(startOfDay(day, zone));
        expect(shown).toBe(day);
      }),
    );
  });
});
