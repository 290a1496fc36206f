import { addUp, lineTotal, sumOf, totalsOf } from '@tenantry/money';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDecimal } from '../../../src/design/decimals.ts';
import { blankLine } from '../../../src/quotes/editor/draft.ts';
import { totalsOfDraft } from '../../../src/quotes/editor/totals.ts';
import { draftWith } from './drafts.ts';

const amount = fc.integer({ min: 1, max: 99_999_999 }).map((units) => Number(`${units}e-4`));
const line = fc.record({ quantity: amount, unitPrice: amount });
const packages = fc.array(fc.array(line, { maxLength: 8 }), { maxLength: 4 });

describe('the totals of a draft as it is typed', () => {
  test('equal those of the API, which adds each line to the sums it keeps', () => {
    const terms = fc.record({
      currency: fc.constantFrom('SEK', 'JPY', 'EUR'),
      vatRate: fc.constantFrom(25, 12, 6, 0, 8.1),
    });
    fc.assert(
      fc.property(packages, terms, fc.constantFrom('en' as const, 'sv' as const), (typed, how, language) => {
        const write = (value: number) => formatDecimal(value, language);
        const draft = draftWith(
          typed.map((lines) =>
            lines.map(({ quantity, unitPrice }) => ({
              ...blankLine(),
              ...{ quantity: write(quantity), unitPrice: write(unitPrice) },
            })),
          ),
          { currency: how.currency, vatRate: write(how.vatRate) },
        );
        // As quotation-service does: a line's price is added to the sums of its package and its quote.
        const subtotal = typed.flat().reduce((sum, one) => sumOf([sum, lineTotal(one, how.currency)]), 0);
        const { workPackages, ...totals } = totalsOfDraft(draft, language);
        expect(totals).toEqual(totalsOf(subtotal, how));
        expect(workPackages).toEqual(
          addUp({ ...how, workPackages: typed.map((items) => ({ items })) }).workPackages,
        );
      }),
    );
  });

  test('count what is not yet a number as zero', () => {
    const draft = draftWith([[{ ...blankLine(), quantity: '2', unitPrice: '1x' }]]);
    expect(totalsOfDraft(draft, 'en').totalAmount).toBe(0);
  });
});
