import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardValidity } from '../src/quotes/validity.ts';
import { dayIn, endOfDay, isEndOfDay } from '../src/wording/time-zone.ts';
import { formatsOf } from '../src/wording/formats.ts';

/** The date and time that clocks show in a zone. */
const clockOf = (timeZone: string, at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at);

describe('the end of a day', () => {
  it.each([
    ['UTC', '2026-03-29', '2026-03-29T23:59:59.999Z'],
    ['Europe/Stockholm', '2026-03-29', '2026-03-29T21:59:59.999Z'],
    ['Europe/Stockholm', '2026-10-25', '2026-10-25T22:59:59.999Z'],
    // Summer time begins at midnight: the next day begins at one.
    ['Atlantic/Azores', '2026-03-28', '2026-03-29T00:59:59.999Z'],
    ['America/Santiago', '2026-09-05', '2026-09-06T03:59:59.999Z'],
    ['America/Havana', '2026-03-07', '2026-03-08T04:59:59.999Z'],
    ['Asia/Beirut', '2026-03-28', '2026-03-28T21:59:59.999Z'],
    ['Africa/Cairo', '2026-04-23', '2026-04-23T21:59:59.999Z'],
    // It ends at midnight: the last hour comes twice.
    ['America/Santiago', '2026-04-04', '2026-04-05T03:59:59.999Z'],
    ['Asia/Beirut', '2026-10-24', '2026-10-24T21:59:59.999Z'],
    ['America/Havana', '2026-10-31', '2026-11-01T03:59:59.999Z'],
    // A minute past midnight, an hour back into the day before.
    ['America/St_Johns', '2005-10-29', '2005-10-30T03:29:59.999Z'],
    // A day that there was not.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T09:59:59.999Z'],
    ['UTC', '0050-01-01', '0050-01-01T23:59:59.999Z'],
    ['UTC', '0001-01-01', '0001-01-01T23:59:59.999Z'],
  ])('in %s on %s is %s', (timeZone, day, end) => {
    expect(endOfDay(day, timeZone).toISOString()).toBe(end);
  });

  it('is the last moment at which clocks show the day, or an earlier one, in every zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const days = fc.date({ min: new Date('1985-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zones, days, (timeZone, date) => {
        const day = date.toISOString().slice(0, 10);
        const end = endOfDay(day, timeZone).getTime();
        expect(clockOf(timeZone, end).slice(0, 10) <= day).toBe(true);
        expect(dayIn(timeZone, new Date(end))).toBe(clockOf(timeZone, end).slice(0, 10));
        expect([-1, 0, 1].map((off) => isEndOfDay(timeZone, new Date(end + off)))).toEqual([
          false,
          true,
          false,
        ]);
        for (const later of [1, 30 * 60_000, 3_600_000, 7_200_000]) {
          expect(clockOf(timeZone, end + later).slice(0, 10) > day).toBe(true);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('a new quote is valid until the end of the day 30 days ahead', () => {
  it.each([
    ['UTC', '2026-11-21T00:00:00.000Z', '2026-12-21T23:59:59.999Z'],
    ['UTC', '2026-11-21T23:59:59.999Z', '2026-12-21T23:59:59.999Z'],
    // The 22nd has begun there.
    ['Pacific/Auckland', '2026-11-21T12:00:00.000Z', '2026-12-22T10:59:59.999Z'],
    // It is still the 20th there.
    ['America/Los_Angeles', '2026-11-21T07:59:00.000Z', '2026-12-21T07:59:59.999Z'],
    // Across a change of the clocks, and from a day of 25 hours and one of 23.
    ['Europe/Stockholm', '2026-10-01T12:00:00.000Z', '2026-10-31T22:59:59.999Z'],
    ['Europe/Stockholm', '2026-10-25T22:30:00.000Z', '2026-11-24T22:59:59.999Z'],
    ['Europe/Stockholm', '2026-03-28T23:30:00.000Z', '2026-04-28T21:59:59.999Z'],
    ['Europe/Stockholm', '2026-02-27T12:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['Asia/Kathmandu', '2028-01-30T18:14:59.999Z', '2028-02-29T18:14:59.999Z'],
  ])('in %s at %s: %s', (timeZone, now, end) => {
    expect(standardValidity(new Date(now), timeZone).toISOString()).toBe(end);
  });
});

describe('the last day of a validity', () => {
  const shown = (timeZone: string, instant: string, locale = 'en-GB') =>
    formatsOf({ currency: 'SEK', timeZone }, locale).lastDay(instant);

  it('is a day where it ends with it, and has the time where it does not', () => {
    expect(shown('Europe/Stockholm', '2026-12-24T22:59:59.999Z')).toBe('24 December 2026');
    expect(shown('Europe/Stockholm', '2026-12-24T22:59:59.999Z', 'sv-SE')).toBe('24 december 2026');
    expect(shown('Europe/Stockholm', '2026-12-24T13:30:00.000Z')).toBe('24 December 2026 at 14:30 CET');
    expect(shown('Europe/Stockholm', '2026-12-24T13:30:00.000Z', 'sv-SE')).toBe(
      '24 december 2026 kl. 14:30 CET',
    );
    // The end of a day elsewhere, and midnight, which is the next day already.
    expect(shown('Europe/Stockholm', '2026-12-24T23:59:59.999Z')).toBe('25 December 2026 at 00:59 CET');
    expect(shown('UTC', '2026-12-25T00:00:00.000Z')).toBe('25 December 2026 at 00:00 UTC');
    expect(shown('UTC', '2026-12-24T23:59:00.000Z')).toBe('24 December 2026 at 23:59 UTC');
  });
});
