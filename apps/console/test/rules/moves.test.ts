import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ToastStore } from '../../src/design/toast-store.ts';
import { droppedOn, nextColumn, takes, type HeldCard } from '../../src/leads/card-steps.ts';
import { leadStatuses } from '../../src/leads/lead-filters.ts';
import { Moves, type MovesDependencies } from '../../src/leads/moves.ts';
import { Pace } from '../../src/leads/pace.ts';

const ada = { id: 'ada', name: 'Ada', etag: '"1"' };

function setUp(send: MovesDependencies['send'] = async () => undefined) {
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
        answer = resolve;
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
