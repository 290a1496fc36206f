import { expect, test } from 'vitest';
import type { Happening } from '../../src/activity/activity.queries.ts';
import { runsOf } from '../../src/activity/runs.ts';

const ada = { kind: 'user' as const, userId: 'ada', name: 'Ada' };
const happening = (action: string, target: string, actor: object = ada): Happening => ({
  ...{ id: `${action} ${target}`, trail: 'quotes', action, actor: actor as Happening['actor'], details: {} },
  ...{ target: { type: 'quote', id: target, name: target }, createdAt: '2026-11-24T10:00:00Z' },
});
const folded = (...happenings: readonly Happening[]) =>
  runsOf(happenings).map(({ latest, earlier }) => [latest.id, earlier.length]);

test('what one person did to one thing in a row is a run, and so is the same done to several', () => {
  expect(
    folded(happening('quote.sent', '1'), happening('line-item.added', '1'), happening('quote.created', '1')),
  ).toEqual([['quote.sent 1', 2]]);
  expect(folded(happening('lead.created', '1'), happening('lead.created', '2'))).toEqual([
    ['lead.created 1', 1],
  ]);
});

test('a run ends with another actor, and where something else is in common', () => {
  const bo = { kind: 'user', userId: 'bo', name: 'Bo' };
  expect(folded(happening('lead.created', '1'), happening('lead.created', '2', bo))).toHaveLength(2);
  expect(
    folded(happening('quote.sent', '1'), happening('quote.created', '1'), happening('quote.sent', '2')),
  ).toEqual([
    ['quote.sent 1', 1],
    ['quote.sent 2', 0],
  ]);
});
