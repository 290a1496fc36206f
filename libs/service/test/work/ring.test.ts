import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arcsOf } from '../../src/work/ring.ts';

const isBetween = (id: string, low = '', high = '') => id > low && id < high;

describe('the ring of organizations', () => {
  it('is walked from behind the last one to itself, past those that are left out', () => {
    const id = fc.uuid();
    fc.assert(
      fc.property(
        id,
        fc.uniqueArray(id, { maxLength: 5 }),
        fc.uniqueArray(id, { maxLength: 8 }),
        (last, without, others) => {
          const { lows, highs } = arcsOf(last, without);
          const placeOf = (one: string) => lows.findIndex((low, place) => isBetween(one, low, highs[place]));
          for (const one of without) expect(placeOf(one)).toBe(-1);
          const waiting = [last, ...others].filter((one) => !without.includes(one));
          const walked = waiting.toSorted((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
          const ring = [
            ...waiting.filter((one) => one > last).toSorted(),
            ...waiting.filter((one) => one <= last).toSorted(),
          ];
          expect(walked).toEqual(ring);
        },
      ),
    );
  });
});
