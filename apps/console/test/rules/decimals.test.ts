import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDecimal, isAmbiguous, parseDecimal } from '../../src/design/decimals.ts';

const language = fc.constantFrom('en' as const, 'sv' as const);
/** At most four decimals, as quantities and prices have. */
const decimal = fc.integer({ min: 0, max: 999_999_999_999 }).map((units) => Number(`${units}e-4`));

describe('a number that somebody types', () => {
  test('is read as it is written in either language', () => {
    fc.assert(
      fc.property(decimal, language, (value, as) => {
        expect(parseDecimal(formatDecimal(value, as), as)).toBe(value);
      }),
    );
  });

  test('is read as Intl writes it, with its groups', () => {
    const formats = { en: new Intl.NumberFormat('en-GB'), sv: new Intl.NumberFormat('sv-SE') };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), language, (value, as) => {
        expect(parseDecimal(formats[as].format(value), as)).toBe(value);
      }),
    );
  });

  test.each([
    ['en', '1,234.50', 1234.5],
    ['en', '1,234', 1234],
    ['en', '12,5', 12.5],
    ['en', '.5', 0.5],
    ['en', '£485.50', 485.5],
    ['sv', '1 234,50 kr', 1234.5],
    ['sv', '1.234.567,50', 1_234_567.5],
    ['sv', '1.234', 1.234],
    ['sv', '7,25', 7.25],
    ['sv', 'SEK 100', 100],
    ['sv', '−3', -3],
  ] as const)('in %s, %j is %d', (as, text, value) => {
    expect(parseDecimal(text, as)).toBe(value);
  });

  test.each(['', 'abc', '1,2,3', '1.2,3.4', '12 h 30', '--1', '1e3'])('is none in %j', (text) => {
    expect(parseDecimal(text, 'en')).toBeUndefined();
  });
});

test.each([
  ['12,345', 'en', true],
  ['SEK 1,234', 'en', true],
  ['12.345', 'en', false],
  ['12,34', 'en', false],
  ['1,234.50', 'en', false],
  ['1,234,567', 'en', false],
  ['12.345', 'sv', true],
  ['12,345', 'sv', false],
] as const)('whether %s can mean two numbers in %s is %s', (text, language, isSo) => {
  expect(isAmbiguous(text, language)).toBe(isSo);
});
