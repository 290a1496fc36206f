import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byCurrency, heightOf, shareOf } from '../../src/home/scale.ts';
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

describe('amounts of quotes', () => {
  test('stand by currency, in every state, and are never added up', () => {
    const sek = { currency: 'SEK', quotes: 2, totalAmount: 100 };
    const eur = { currency: 'EUR', quotes: 1, totalAmount: 7 };
    const statuses = [
      { status: 'draft', amounts: [] },
      { status: 'sent', amounts: [sek, eur] },
    ] as const;
    expect(byCurrency<string>(statuses)).toEqual([
      [
        'EUR',
        [
          { status: 'draft', quotes: 0, totalAmount: 0 },
          { status: 'sent', quotes: 1, totalAmount: 7 },
        ],
      ],
      [
        'SEK',
        [
          { status: 'draft', quotes: 0, totalAmount: 0 },
          { status: 'sent', quotes: 2, totalAmount: 100 },
        ],
      ],
    ]);
  });
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
