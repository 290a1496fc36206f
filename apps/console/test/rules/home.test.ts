import type { api } from '@tenantry/client';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { groupsOf } from '../../src/home/groups.ts';
import { amountsOf } from '../../src/design/amounts.ts';
import { heightOf, makesChart, shareOf } from '../../src/home/scale.ts';
import { stepsLeft } from '../../src/home/steps.ts';

describe('bars', () => {
  test('are never higher than their place, and to be seen wherever there is anything', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (value, more) => {
        const height = heightOf(value, value + more);
        expect(height).toBeLessThanOrEqual(1);
        expect(height > 0).toBe(value > 0);
      }),
    );
    expect(shareOf(0, 0)).toBe(0);
  });
});

describe('quotes of the worklist', () => {
  const quote = (id: string, openedAt: string | null = null): api.QuoteListItem => ({
    ...{ id, number: id, customerId: 'c', customerName: '', title: id, totalAmount: 1, currency: 'SEK' },
    ...{ status: 'sent', validUntil: '2099-01-01T00:00:00Z', createdAt: '2026-11-01T00:00:00Z', openedAt },
  });
  const named = ({ toDo, won }: ReturnType<typeof groupsOf>) =>
    [...toDo, won].map(({ name, rows, total }) => [name, rows.map(({ id }) => id), total]);

  test('are each in the first group that they belong to', () => {
    const opened = quote('opened', '2026-11-02T00:00:00Z');
    const ending = { rows: [quote('soon')], total: 7 };
    const unanswered = { rows: [opened, quote('soon'), quote('silent')], total: 4 };
    expect(named(groupsOf({ ending, unanswered, accepted: [quote('won')] }))).toEqual([
      ['ending', ['soon'], 7],
      ['opened', ['opened'], 1],
      ['unanswered', ['silent'], 2],
      ['accepted', ['won'], 1],
    ]);
  });

  test('are none where nothing was read', () => {
    const nothing = groupsOf({ ending: undefined, unanswered: undefined, accepted: undefined });
    expect(named(nothing).map(([, , total]) => total)).toEqual([0, 0, 0, 0]);
  });
});

test('a chart is drawn once something happened in two weeks', () => {
  expect(makesChart([[0, 0], [3, 1], [0]])).toBe(false);
  expect(makesChart([[0, 1], [3, 1], [0]])).toBe(true);
});

test('amounts of two currencies are not added up', () => {
  const of = (...amounts: readonly (readonly [string, number])[]) => ({
    amounts: amounts.map(([currency, totalAmount]) => ({ currency, quotes: 1, totalAmount })),
  });
  expect(amountsOf([of(['SEK', 100], ['EUR', 7]), of(['SEK', 0.5])])).toEqual([
    ['EUR', 7],
    ['SEK', 100.5],
  ]);
});

describe('first steps', () => {
  const address = { lines: ['Storgatan 1'], postalCode: '111 11', city: 'Stockholm', country: 'SE' };
  const settings = {
    ...{ defaultCurrency: 'SEK', vatRate: 25, quoteNumberPrefix: 'Q', requireTwoFactor: false },
    ...{ timeZone: 'Europe/Stockholm', address, vatNumber: 'SE556000000001' },
  };

  test('are done by what there is', () => {
    const organization = { logo: 'a-digest', settings };
    expect(stepsLeft({ organization, leads: 1, quotes: 1 })).toEqual([]);
    expect(stepsLeft({ organization: { ...organization, logo: null }, leads: 0, quotes: 2 })).toEqual([
      'letterhead',
      'lead',
    ]);
  });
});
