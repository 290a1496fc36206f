import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatsOf } from '../../src/design/language.ts';
import { rateOf } from '../../src/organizations/vat-rate.ts';

describe('a VAT rate', () => {
  test.each([
    ['25', 25],
    [' 12,5 % ', 12.5],
    ['0', 0],
    ['100', 100],
    ['100.01', undefined],
    ['-1', undefined],
    ['', undefined],
    ['1e2', undefined],
    ['twelve', undefined],
  ])('typed as %j is %j', (typed, rate) => {
    expect(rateOf(typed)).toBe(rate);
  });

  test('is read again as either language writes it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.constantFrom('en', 'sv'),
        (hundredths, language) => {
          const rate = hundredths / 100;
          expect(rateOf(formatsOf(language, 'UTC').number(rate))).toBe(rate);
        },
      ),
    );
  });
});
