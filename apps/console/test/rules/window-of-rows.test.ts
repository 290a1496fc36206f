import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pagesOf, windowOfRows } from '../../src/design/window-of-rows.ts';

const places = fc.record({
  top: fc.nat(1_000_000),
  height: fc.integer({ min: 1, max: 4_000 }),
  rowHeight: fc.integer({ min: 20, max: 120 }),
  count: fc.nat(100_000),
});

describe('the rows of a long list', () => {
  test('are drawn wherever they are in sight, and few more', () => {
    fc.assert(
      fc.property(places, (place) => {
        const { top, height, rowHeight, count } = place;
        const { first, end } = windowOfRows(place);
        expect(first).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(count);
        expect(end - first).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 13);
        const inSight = [Math.floor(top / rowHeight), Math.floor((top + height - 1) / rowHeight)];
        for (const row of inSight.filter((each) => each < count)) {
          expect(row).toBeGreaterThanOrEqual(first);
          expect(row).toBeLessThan(end);
        }
      }),
    );
  });

  test('lie on the pages that are asked for, and on no others', () => {
    fc.assert(
      fc.property(places, (place) => {
        const rows = windowOfRows(place);
        const pages = pagesOf(rows, 100);
        const wanted = new Set<number>();
        for (let row = rows.first; row < rows.end; row += 1) wanted.add(Math.floor(row / 100) + 1);
        expect(pages).toEqual([...wanted]);
      }),
    );
  });
});
