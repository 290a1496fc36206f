import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  dueSteps,
  keySchedule,
  publishedKeysAt,
  publishedUntil,
  removalSteps,
  rotationSteps,
  signingKeyAt,
  type KeyStep,
  type ScheduledKey,
} from '../src/tokens/signing-keys/key-schedule.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const schedule = keySchedule(30);
const start = new Date('2026-01-01T00:00:00Z');
const at = (ms: number) => new Date(start.getTime() + ms);
const key = (kid: string, signsFromMs: number): ScheduledKey => ({ kid, signsFrom: at(signsFromMs) });

/** The rows after the steps, as the database orders them. */
function apply(keys: readonly ScheduledKey[], steps: readonly KeyStep[], newKid: () => string) {
  return steps
    .reduce<ScheduledKey[]>(
      (rows, step) => {
        if (step.kind === 'make') return [...rows, { kid: newKid(), signsFrom: step.signsFrom }];
        const others = rows.filter(({ kid }) => kid !== step.kid);
        return step.kind === 'remove' ? others : [...others, { kid: step.kid, signsFrom: step.signsFrom }];
      },
      [...keys],
    )
    .sort((a, b) => a.signsFrom.getTime() - b.signsFrom.getTime());
}

describe('the schedule', () => {
  test('announces a key 10 minutes or more before it signs, and keeps it 30 or more after [S-87]', () => {
    const keys = [key('a', 0)];
    expect(dueSteps(keys, at(30 * dayMs - 16 * minuteMs), schedule)).toEqual([]);
    const due = at(30 * dayMs - 15 * minuteMs);
    const [step] = dueSteps(keys, due, schedule);
    expect(step).toEqual({ kind: 'make', signsFrom: at(30 * dayMs) });
    expect(schedule.announcedMs).toBeGreaterThanOrEqual(10 * minuteMs);

    const rotated = [...keys, key('b', 30 * dayMs)];
    expect(publishedKeysAt(rotated, due, schedule)).toEqual(rotated);
    expect(signingKeyAt(rotated, at(30 * dayMs - 1))?.kid).toBe('a');
    expect(signingKeyAt(rotated, at(30 * dayMs))?.kid).toBe('b');
    expect(publishedKeysAt(rotated, at(30 * dayMs + 45 * minuteMs - 1), schedule)).toEqual(rotated);
    const over = at(30 * dayMs + 45 * minuteMs);
    expect(publishedKeysAt(rotated, over, schedule)).toEqual([rotated[1]]);
    expect(dueSteps(rotated, over, schedule)).toEqual([{ kind: 'remove', kid: 'a' }]);
    expect(schedule.retainedMs).toBeGreaterThanOrEqual(30 * minuteMs);
  });

  test('makes the first key sign immediately', () => {
    expect(dueSteps([], start, schedule)).toEqual([{ kind: 'make', signsFrom: start }]);
  });

  test('rotates late rather than unannounced, after the service was stopped for long', () => {
    const late = at(90 * dayMs);
    expect(dueSteps([key('a', 0)], late, schedule)).toEqual([
      { kind: 'make', signsFrom: at(90 * dayMs + 15 * minuteMs) },
    ]);
  });

  test('leaves rotation to operators when it is off', () => {
    expect(dueSteps([key('a', 0)], at(3_650 * dayMs), keySchedule(0))).toEqual([]);
  });
});

describe('an operator', () => {
  test('announces one key at a time, however often it is requested', () => {
    const keys = [key('a', 0)];
    const [step] = rotationSteps(keys, at(minuteMs), schedule);
    expect(step).toEqual({ kind: 'make', signsFrom: at(16 * minuteMs) });
    expect(rotationSteps([...keys, key('b', 16 * minuteMs)], at(2 * minuteMs), schedule)).toEqual([]);
  });

  test('who removes the signing key makes the announced one sign, or a new one, and never a retired one', () => {
    const keys = [key('retired', 0), key('signing', minuteMs), key('next', 9 * minuteMs)];
    const now = at(2 * minuteMs);
    expect(removalSteps(keys, now, 'signing')).toEqual([
      { kind: 'remove', kid: 'signing' },
      { kind: 'advance', kid: 'next', signsFrom: now },
    ]);
    expect(removalSteps(keys.slice(0, 2), now, 'signing')).toEqual([
      { kind: 'remove', kid: 'signing' },
      { kind: 'make', signsFrom: now },
    ]);
  });

  test('removing any other key does not affect the signing one', () => {
    const keys = [key('retired', 0), key('signing', minuteMs), key('next', 9 * minuteMs)];
    for (const kid of ['retired', 'next']) {
      expect(removalSteps(keys, at(2 * minuteMs), kid)).toEqual([{ kind: 'remove', kid }]);
    }
  });
});

describe('whatever happens, and when', () => {
  const events = fc.array(
    fc.record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 20 * minuteMs }), fc.integer({ min: 0, max: 20 * dayMs })),
      event: fc.constantFrom('tick', 'rotate', 'remove-signing', 'remove-next'),
    }),
    { maxLength: 60 },
  );
  /** Two instances differ by what their estimates of the database's clock are off by: well below a second. */
  const skewMs = 5_000;

  test('one key signs, verifiers with another clock know it, and one that was removed or retired never returns', () => {
    fc.assert(
      fc.property(events, (history) => {
        let count = 0;
        const newKid = () => `k${++count}`;
        let now = 0;
        let keys = apply([], dueSteps([], at(0), schedule), newKid);
        const gone = new Set<string>();
        const retire = () => {
          const signing = signingKeyAt(keys, at(now));
          for (const { kid, signsFrom } of keys) if (signing && signsFrom < signing.signsFrom) gone.add(kid);
        };
        for (const { afterMs, event } of history) {
          retire();
          now += afterMs;
          keys = apply(keys, dueSteps(keys, at(now), schedule), newKid);
          const signing = signingKeyAt(keys, at(now))!;
          expect(gone).not.toContain(signing.kid);
          // A process that is ahead signs with a key that one that is behind publishes, and the other way round.
          const [behind, ahead] = [at(now - skewMs), at(now + skewMs)];
          expect(publishedKeysAt(keys, behind, schedule)).toContain(signingKeyAt(keys, ahead));
          const early = signingKeyAt(keys, behind);
          if (early) expect(publishedKeysAt(keys, ahead, schedule)).toContain(early);

          const next = keys.find(({ signsFrom }) => signsFrom > at(now));
          if (event === 'rotate') keys = apply(keys, rotationSteps(keys, at(now), schedule), newKid);
          const target = { 'remove-signing': signing, 'remove-next': next }[event as 'remove-next'];
          if (target) {
            keys = apply(keys, removalSteps(keys, at(now), target.kid), newKid);
            gone.add(target.kid);
          }
          expect(keys.filter(({ signsFrom }) => signsFrom > at(now)).length).toBeLessThanOrEqual(1);
          expect(gone).not.toContain(signingKeyAt(keys, at(now))?.kid);
        }
        // A key is published until it is over, so it cannot be forgotten before its tokens are.
        keys.forEach((_, index) => {
          const until = publishedUntil(keys, index, schedule);
          const successor = keys[index + 1];
          if (successor)
            expect(until! > at(successor.signsFrom.getTime() - start.getTime() + 30 * minuteMs)).toBe(true);
        });
      }),
      { numRuns: 500 },
    );
  });
});
