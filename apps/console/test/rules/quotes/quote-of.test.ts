import type { api } from '@tenantry/client';
import { expect, test } from 'vitest';
import { beginning } from '../../../src/quotes/editor/edits.ts';
import { blankLine, draftOf } from '../../../src/quotes/editor/draft.ts';
import { quoteOf } from '../../../src/quotes/editor/quote-of.ts';
import { declinedQuote, draftQuote } from '../../support/quotes.ts';

const quotes: readonly api.Quote[] = [
  draftQuote,
  declinedQuote,
  { ...draftQuote, workPackages: [], subtotal: 0, vatAmount: 0, totalAmount: 0 },
];

test.each(['en', 'sv'] as const)(
  'a quote that is only read into the editor is as it was, in %s',
  (language) => {
    for (const timeZone of ['Pacific/Pago_Pago', 'Europe/Stockholm', 'Pacific/Kiritimati']) {
      for (const quote of quotes) {
        const draft = beginning('Work')(draftOf(quote, { language, timeZone }));
        expect(quoteOf(quote, draft, { language, timeZone })).toEqual(quote);
      }
    }
  },
);

test('a quote is as it is typed: numbers in the language of who types, the day in the time zone', () => {
  const reading = { language: 'sv', timeZone: 'Pacific/Kiritimati' } as const;
  const draft = draftOf(draftQuote, reading);
  const [roof] = draft.packages;
  const line = { ...blankLine('st'), description: 'Spik', quantity: '1 200', unitPrice: '0,25' };
  const packages = [{ ...roof!, lines: [line, { ...line, key: 'x', quantity: 'tolv' }, blankLine('st')] }];
  const typed = quoteOf(draftQuote, { ...draft, packages, validUntil: '2027-01-31', vatRate: '12' }, reading);
  expect(typed).toMatchObject({ subtotal: 300, vatAmount: 36, totalAmount: 336 });
  expect(typed.validUntil).toBe('2027-01-31T09:59:59.999Z');
  expect(typed.workPackages).toMatchObject([
    {
      ...{ id: 'roof', subtotal: 300 },
      items: [
        { description: 'Spik', quantity: 1200, unitPrice: 0.25, totalPrice: 300 },
        { quantity: 0, totalPrice: 0 },
      ],
    },
  ]);
});
