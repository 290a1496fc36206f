import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ToastStore } from '../../src/design/toast-store.ts';
import { droppedOn, nextColumn, takes, type HeldCard } from '../../src/leads/card-steps.ts';
import { leadStatuses } from '../../src/leads/lead-filters.ts';
import { Moves, newerOf, type MovesDependencies } from '../../src/leads/moves.ts';
import { Pace } from '../../src/leads/pace.ts';

const ada = { id: 'ada', name: 'Ada', etag: '"1"' };

function setUp(send: MovesDependencies['send'] = async () => '"2"') {
  const toasts = new ToastStore();
  const sent: string[] = [];
  const moves = new Moves({
    toasts,
    textOf: ({ name }, to) => `${name} to ${to}`,
    send(lead, to) {
      sent.push(`${lead.id} ${to} ${lead.etag ?? ''}`);
      return send(lead, to);
    },
  });
  return { toasts, moves, sent };
}

test('a move waits five seconds, in which it can be undone, and is then sent once', async () => {
  vi.useFakeTimers();
  try {
    const { toasts, moves, sent } = setUp();
    moves.move(ada, 'contacted');
    expect([...moves.getMoves()]).toMatchObject([['ada', { to: 'contacted' }]]);
    toasts.undo(toasts.getToasts()[0]?.id ?? 0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect([sent, moves.getMoves().size]).toEqual([[], 0]);
    moves.move(ada, 'contacted');
    moves.move(ada, 'lost');
    await vi.advanceTimersByTimeAsync(10_000);
    expect([sent, moves.getMoves().size]).toEqual([['ada contacted "1"'], 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('what waits is sent immediately when the page is left, which waits for it', async () => {
  let answer: () => void = () => undefined;
  const { moves, sent } = setUp(
    () =>
      new Promise((resolve) => {
        answer = () => resolve('"2"');
      }),
  );
  moves.move(ada, 'contacted');
  const left = vi.fn();
  const leaving = moves.sendAll().then(left);
  expect(sent).toEqual(['ada contacted "1"']);
  await Promise.resolve();
  expect(left).not.toHaveBeenCalled();
  answer();
  await leaving;
  expect(moves.getMoves().size).toBe(0);
});

test('what waits for a lead is sent before something else is done to it, which then knows the new version', async () => {
  const { moves, sent, toasts } = setUp();
  moves.move(ada, 'contacted');
  moves.move({ ...ada, id: 'grace' }, 'lost');
  expect(await moves.sendOf('ada')).toBe('"2"');
  expect(sent).toEqual(['ada contacted "1"']);
  expect([...moves.getMoves().keys()]).toEqual(['grace']);
  expect(toasts.getToasts()).toHaveLength(1);
  expect(await moves.sendOf('ada')).toBeUndefined();
});

test('a move is made on the newest version that is known', () => {
  expect([newerOf('"9"', '"10"'), newerOf('"3"', undefined), newerOf(undefined, '"1"')]).toEqual([
    '"10"',
    '"3"',
    '"1"',
  ]);
});

const cards: fc.Arbitrary<HeldCard> = fc.record({
  id: fc.constant('a'),
  from: fc.constantFrom(...leadStatuses),
  allowed: fc.subarray([...leadStatuses]),
  over: fc.constantFrom(...leadStatuses),
});

test('a card is only ever dropped where it may go', () => {
  fc.assert(
    fc.property(cards, fc.array(fc.constantFrom(-1 as const, 1 as const)), (card, steps) => {
      const begun = { ...card, over: card.from };
      const end = steps.reduce((held, by) => ({ ...held, over: nextColumn(held, by) }), begun);
      expect(takes(end, end.over)).toBe(true);
      for (const held of [card, end]) {
        const to = droppedOn(held);
        if (to !== undefined) expect(held.allowed).toContain(to);
      }
    }),
  );
});

test('lists ask no oftener than eight times in any second', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(400), { maxLength: 60 }), (pauses) => {
      let now = 0;
      const pace = new Pace(8, () => now);
      const begun = pauses.map((pause) => {
        now += pause;
        return now + pace.next();
      });
      for (const at of begun) {
        expect(begun.filter((each) => each >= at && each < at + 1_000).length).toBeLessThanOrEqual(8);
      }
    }),
  );
});
