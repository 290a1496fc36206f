import { addUp, limits, lineTotal, sumOf, totalsOf } from '@tenantry/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fraction, plus, rounded, textOf, times, type Fraction } from './fractions.ts';

describe('the price of a line', () => {
  it.each([
    [1.005, 1, 1.01],
    [3, 33.335, 100.01],
    [2.675, 1, 2.68],
    [7.25, 485.5, 3519.88],
    [10.0005, 12.3456, 123.46],
  ])('of %d × %d is %d: rounded once, half away from zero', (quantity, unitPrice, totalPrice) => {
    expect(lineTotal({ quantity, unitPrice }, 'SEK')).toBe(totalPrice);
  });

  it.each([
    ['JPY', 1011],
    ['SEK', 1010.53],
    ['KWD', 1010.525],
  ])('in %s has the decimals of its minor unit', (currency, totalPrice) => {
    expect(lineTotal({ quantity: 1, unitPrice: 1010.525 }, currency)).toBe(totalPrice);
  });

  it('is exact at the largest quantity and price', () => {
    const [quantity, unitPrice] = [limits.quantity.maximum, limits.unitPrice.maximum];
    expect(lineTotal({ quantity, unitPrice }, 'SEK')).toBe(999_999_999_989_000);
  });

  it('refuses what is no number', () => {
    for (const quantity of [Number.NaN, Infinity]) {
      expect(() => lineTotal({ quantity, unitPrice: 1 }, 'SEK')).toThrow(RangeError);
    }
  });
});

describe('the totals of a quote', () => {
  it.each([
    [25, 1103.72, 5518.59],
    [12, 529.78, 4944.65],
    [6, 264.89, 4679.76],
    [0, 0, 4414.87],
  ])('of 4414.87 at %d %% have %d of VAT and come to %d', (vatRate, vatAmount, totalAmount) => {
    expect(totalsOf(4414.87, { vatRate, currency: 'SEK' })).toEqual({
      subtotal: 4414.87,
      vatAmount,
      totalAmount,
    });
  });

  it('take VAT of the sum, once: 28.81 of seven lines, and not seven times 4.12', () => {
    const items = Array.from({ length: 7 }, () => ({ quantity: 1.333, unitPrice: 12.35 }));
    const quote = addUp({ currency: 'SEK', vatRate: 25, workPackages: [{ items }] });
    expect(quote).toMatchObject({ subtotal: 115.22, vatAmount: 28.81, totalAmount: 144.03 });
  });

  it('are nothing for a quote without lines', () => {
    const quote = addUp({ currency: 'SEK', vatRate: 25, workPackages: [{ items: [] }] });
    expect(quote).toMatchObject({ subtotal: 0, vatAmount: 0, totalAmount: 0 });
  });
});

describe('a sum', () => {
  it('is exact, and takes away what is negative', () => {
    expect(sumOf([0.1, 0.2])).toBe(0.3);
    expect(sumOf([9_999_999_999_999.99, -0.01, -9_999_999_999_999.98])).toBe(0);
    expect(sumOf([])).toBe(0);
  });
});

/** A decimal as a client writes it: a whole number of units of the last place. */
const decimal = (places: number, max: number, min = 0): fc.Arbitrary<string> =>
  fc.bigInt(BigInt(min), BigInt(max)).map((units) => {
    const digits = units.toString().padStart(places + 1, '0');
    return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  });

const line = fc.record({
  quantity: fc.oneof(decimal(4, 99_999_999_999, 1), decimal(2, 99_999, 1)),
  unitPrice: fc.oneof(decimal(4, 999_999_999_999), decimal(3, 9_999_999)),
});
const anyQuote = fc.record({
  workPackages: fc.array(fc.array(line, { maxLength: 4 }), { maxLength: 3 }),
  vatRate: fc.oneof(fc.constantFrom('25', '12', '6', '0'), decimal(2, 10_000)),
  currency: fc.constantFrom(['SEK', 2] as const, ['JPY', 0] as const, ['KWD', 3] as const),
});

/** What a JSON number carries: 15 digits. */
const isCarried = ({ units }: Fraction): boolean => units <= 999_999_999_999_999n;

describe('100,000 random quotes', () => {
  it('come to what fractions of whole numbers say, as JSON carries it', () => {
    fc.assert(
      fc.property(anyQuote, ({ workPackages, vatRate, currency: [currency, digits] }) => {
        const expected = workPackages.map((lines) =>
          lines.map(({ quantity, unitPrice }) =>
            rounded(times(fraction(quantity), fraction(unitPrice)), digits),
          ),
        );
        const subtotals = expected.map(total);
        const subtotal = total(subtotals);
        const vatAmount = rounded(times(times(subtotal, fraction(vatRate)), fraction('0.01')), digits);
        const totalAmount = plus(subtotal, vatAmount);
        fc.pre(isCarried(rounded(totalAmount, digits)));

        const added = addUp({
          currency,
          vatRate: Number(vatRate),
          workPackages: workPackages.map((lines) => ({
            items: lines.map(({ quantity, unitPrice }) => ({
              quantity: Number(quantity),
              unitPrice: Number(unitPrice),
            })),
          })),
        });
        const amounts = [
          added.subtotal,
          added.vatAmount,
          added.totalAmount,
          ...added.workPackages.flatMap(({ subtotal, items }) => [
            subtotal,
            ...items.map(({ totalPrice }) => totalPrice),
          ]),
        ];
        const exact = [
          subtotal,
          vatAmount,
          totalAmount,
          ...expected.flatMap((items, index) => [subtotals[index]!, ...items]),
        ];
        expect(JSON.stringify(amounts)).toBe(`[${exact.map(textOf).join()}]`);
      }),
      // `npm run test:long` tries it in full.
      { numRuns: process.env['TEST_THOROUGH'] ? 100_000 : 5_000 },
    );
  });
});

const total = (amounts: readonly Fraction[]): Fraction => amounts.reduce(plus, fraction('0'));
