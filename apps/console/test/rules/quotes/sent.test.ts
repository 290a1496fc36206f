import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatsOf } from '../../../src/design/language.ts';
import { dayIn, lastDay, lastMoment } from '../../../src/quotes/days.ts';
import { filterOf, isInView, queryOf, addressOf, standingOf } from '../../../src/quotes/quote-filter.ts';
import { actionsFor, isNextStep } from '../../../src/quotes/sent/actions.ts';
import { differencesOf } from '../../../src/quotes/sent/differences.ts';
import { timelineOf } from '../../../src/quotes/sent/story.ts';
import { unitPriceFormat } from '../../../src/quotes/unit-price.ts';
import { uuidOf } from '../../../src/quotes/uuid.ts';

describe('two revisions side by side', () => {
  const item = (name: string, nth: number) => ({
    ...{ id: `${name}-${nth}`, articleNumber: '', description: name, unit: 'pcs' },
    ...{ quantity: nth, unitPrice: 1, totalPrice: nth },
  });
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 8 });
  const quoteOf = (lines: readonly string[], nth: number) => ({
    workPackages: [
      {
        ...{ id: 'roof', name: 'Roof', description: '', subtotal: 0 },
        items: lines.map((name) => item(name, nth)),
      },
    ],
  });

  test('have every line of both once, in the order of each', () => {
    fc.assert(
      fc.property(names, names, (olds, news) => {
        const differences = differencesOf(quoteOf(olds, 1), quoteOf(news, 1));
        expect(differences.flatMap(({ before }) => before?.description ?? [])).toEqual(olds);
        expect(differences.flatMap(({ after }) => after?.description ?? [])).toEqual(news);
      }),
    );
  });

  test('differ in nothing where nothing was changed, and in a quantity where that was', () => {
    const kinds = (nth: number) =>
      differencesOf(quoteOf(['Felt', 'Gutter'], 1), quoteOf(['Felt', 'Gutter'], nth)).map(({ kind }) => kind);
    expect(kinds(1)).toEqual(['same', 'same']);
    expect(kinds(2)).toEqual(['changed', 'changed']);
  });
});

test('the day of a validity is that of the organization, from UTC−11 to UTC+14', () => {
  // The last millisecond of 31 January in each of them.
  expect(dayIn('Pacific/Pago_Pago', '2027-02-01T10:59:59.999Z')).toBe('2027-01-31');
  expect(dayIn('Europe/Stockholm', '2027-01-31T22:59:59.999Z')).toBe('2027-01-31');
  expect(dayIn('Pacific/Kiritimati', '2027-01-31T09:59:59.999Z')).toBe('2027-01-31');
});

test('the last day of a validity has the time where it ends within the day', () => {
  const shown = (instant: string) =>
    lastDay(instant, 'Europe/Stockholm', { language: 'en', formats: formatsOf('en', 'Pacific/Auckland') });
  expect(lastMoment('2027-03-28', 'Europe/Stockholm').toISOString()).toBe('2027-03-28T21:59:59.999Z');
  expect(shown('2027-03-28T21:59:59.999Z')).toBe('28 Mar 2027');
  expect(shown('2027-03-28T12:30:00.000Z')).toBe('28 Mar 2027, 14:30');
  expect(shown('2027-03-28T23:59:59.999Z')).toBe('29 Mar 2027, 01:59');
});

describe('the filter of a list of quotes', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');

  test('is what the address says, and comes back from it', () => {
    const filter = filterOf({ view: 'expiring', search: 'åker', sort: '-totalAmount', other: 1 });
    expect(filterOf(addressOf(filter))).toEqual(filter);
    expect(filterOf({ view: 'nonsense' })).toEqual({ view: 'all', search: '', sort: undefined });
  });

  test('has the order of its view unless another is chosen, which is left out of the address where it is the same', () => {
    const silent = { view: 'silent', search: '' } as const;
    expect(queryOf({ ...silent, sort: undefined }, now).sort).toBe('sentAt');
    expect(queryOf({ ...silent, sort: '-totalAmount' }, now).sort).toBe('-totalAmount');
    expect(addressOf({ ...silent, sort: 'sentAt' })).toEqual({ view: 'silent' });
  });

  test('asks for what was sent and ends within a week, or was sent a week ago', () => {
    expect(queryOf({ view: 'expiring', search: '', sort: undefined }, now)).toMatchObject({
      ...{ status: ['sent'], validUntilFrom: '2026-11-20T12:00:00.000Z' },
      validUntilTo: '2026-11-27T12:00:00.000Z',
    });
    const isSilent = (sentAt: string) =>
      isInView({ view: 'silent', search: '', sort: undefined }, { sentAt }, now);
    expect([isSilent('2026-11-13T11:00:00.000Z'), isSilent('2026-11-13T13:00:00.000Z')]).toEqual([
      true,
      false,
    ]);
  });
});

test("a quote that has expired is offered again by revising it; one that was just sent is its customer's to answer", () => {
  const sent = {
    status: 'sent' as const,
    validUntil: '2026-11-20T12:00:00Z',
    supersededBy: null,
    contractedAt: null,
  };
  const [before, after] = [Date.parse('2026-11-20T11:00:00Z'), Date.parse('2026-11-20T13:00:00Z')];
  expect([standingOf(sent, before), standingOf(sent, after)]).toEqual(['sent', 'expired']);
  expect(standingOf({ ...sent, status: 'accepted' }, after)).toBe('accepted');
  expect(actionsFor(sent, after)).toEqual(['revise', 'reject', 'duplicate']);
  expect(actionsFor(sent, before).slice(0, 2).filter(isNextStep)).toEqual([]);
  expect(queryOf({ view: 'expired', search: '', sort: undefined }, after)).toMatchObject({
    ...{ status: ['sent'], validUntilTo: '2026-11-20T13:00:00.000Z' },
  });
});

test('what happened to a quote is told in its order', () => {
  const mail = (createdAt: string) => ({
    ...{ id: createdAt, recipientEmail: 'karin@astrom.example', state: 'delivered' as const, reason: null },
    ...{ attempts: 1, createdAt, nextAttemptAt: null, endedAt: createdAt },
  });
  const decision = {
    ...{ decision: 'accepted' as const, decidedAt: '2026-11-23T12:00:00Z', userId: null },
    ...{ name: 'Karin', reason: null },
  };
  const events = timelineOf({
    quote: {
      ...{ createdAt: '2026-11-20T12:00:00Z', openedAt: '2026-11-21T13:00:00Z', decision },
      contractedAt: '2026-11-24T12:00:00Z',
    },
    deliveries: [mail('2026-11-22T12:00:00Z'), mail('2026-11-21T12:00:00Z')],
  });
  expect(events.map(({ kind, at }) => `${kind} ${at.slice(8, 10)}`)).toEqual([
    ...['created 20', 'mailed 21', 'opened 21', 'mailed 22', 'accepted 23', 'contract 24'],
  ]);
});

test('the price of one is as exact as it is, with as many decimals as its currency has or more', () => {
  const inKronor = unitPriceFormat('en', 'SEK');
  expect([1485.5, 0.1234].map(inKronor)).toEqual(['1,485.50', '0.1234']);
  expect(unitPriceFormat('en', 'JPY')(12)).toBe('12');
  expect(unitPriceFormat('en', 'BHD')(12)).toBe('12.000');
  expect(unitPriceFormat('sv', 'SEK')(485.5)).toBe('485,50');
});

test('an id of a new customer is a UUID', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      expect(uuidOf(bytes)).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    }),
  );
});
