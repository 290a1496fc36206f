import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeTrails } from '../../src/activity/merge.ts';

const event = (trail: number, at: number) => ({
  id: `${trail}-${at}`,
  createdAt: new Date(at * 1_000).toISOString(),
});

describe('several trails', () => {
  test('wait for the one whose older events may belong between those of the others', () => {
    const [newest, middle, oldest] = [event(0, 9), event(1, 5), event(0, 1)];
    const merged = mergeTrails([
      { events: [newest, oldest], hasMore: false },
      { events: [middle], hasMore: true },
    ]);
    expect(merged).toEqual({ events: [newest, middle], wanted: [1] });
  });

  test('show nothing while one of them is not known at all', () => {
    const parts = [
      { events: [event(0, 9)], hasMore: false },
      { events: [], hasMore: true },
    ];
    expect(mergeTrails(parts)).toEqual({ events: [], wanted: [1] });
  });

  test('are read to the end page by page, in order, each event once', () => {
    const trail = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 15 });
    fc.assert(
      fc.property(fc.array(trail, { maxLength: 4 }), fc.integer({ min: 1, max: 4 }), (times, pageSize) => {
        const trails = times.map((each, at) => each.toSorted((a, b) => b - a).map((time) => event(at, time)));
        const loaded = trails.map(() => 0);
        const partsNow = () =>
          trails.map((all, at) => ({
            events: all.slice(0, loaded[at]),
            hasMore: (loaded[at] ?? 0) < all.length,
          }));
        let shown: readonly { readonly id: string }[] = [];
        for (let round = 0; round < 100; round += 1) {
          const { events, wanted } = mergeTrails(partsNow());
          expect(events.slice(0, shown.length)).toEqual(shown);
          shown = events;
          if (wanted.length === 0) break;
          for (const at of wanted) loaded[at] = (loaded[at] ?? 0) + pageSize;
        }
        const all = trails.flat().map(({ id }) => id);
        expect(shown.map(({ id }) => id).toSorted()).toEqual(all.toSorted());
      }),
    );
  });
});
