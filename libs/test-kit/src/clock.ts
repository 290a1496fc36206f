/** A clock that moves only when told to: give it to whatever takes `() => number`. */
export interface TestClock {
  /** Milliseconds since the epoch. */
  (): number;
  advance(by: { milliseconds?: number; seconds?: number; minutes?: number; days?: number }): void;
  set(time: Date | string): void;
}

/**
 * Makes a clock that stands still at the given time.
 *
 * @example
 * const clock = testClock('2026-01-01T00:00:00Z');
 * clock.advance({ minutes: 15 });
 */
export function testClock(start: Date | string = '2026-01-01T00:00:00Z'): TestClock {
  let now = instant(start);
  return Object.assign(() => now, {
    advance({ milliseconds = 0, seconds = 0, minutes = 0, days = 0 }: Parameters<TestClock['advance']>[0]) {
      now += milliseconds + 1000 * (seconds + 60 * (minutes + 24 * 60 * days));
    },
    set(time: Date | string) {
      now = instant(time);
    },
  });
}

function instant(time: Date | string): number {
  const milliseconds = new Date(time).getTime();
  if (Number.isNaN(milliseconds)) throw new RangeError(`Not a time: ${String(time)}`);
  return milliseconds;
}
