import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addressOf,
  filtersOf,
  leadOrders,
  leadStatuses,
  noFilters,
  queryOf,
} from '../../src/leads/lead-filters.ts';
import { parseSearch, stringifySearch } from '../../src/search-texts.ts';

const days = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const filters = fc.record({
  search: fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed()),
  statuses: fc.subarray([...leadStatuses]),
  source: fc.string({ maxLength: 20 }),
  from: fc.option(days, { nil: '' }),
  to: fc.option(days, { nil: '' }),
  sort: fc.constantFrom(...leadOrders),
  isDeleted: fc.boolean(),
});

describe('the address of a list', () => {
  test('names all of its filters, except those at their default', () => {
    fc.assert(
      fc.property(filters, (given) => {
        expect(filtersOf(parseSearch(stringifySearch(addressOf(given))))).toEqual(given);
      }),
    );
    expect(addressOf(noFilters)).toEqual({});
  });

  test('may be anything that somebody has typed', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('status', 'from', 'sort', 'search', 'x'), fc.anything()),
        (search) => {
          expect(filtersOf(addressOf(filtersOf(search)))).toEqual(filtersOf(search));
        },
      ),
    );
    expect(filtersOf({ status: 'won,dreaming', sort: 'age', from: '2026-02-30' })).toEqual({
      ...noFilters,
      statuses: ['won'],
    });
  });

  test('asks for whole days of the reader', () => {
    const query = queryOf({ ...noFilters, from: '2026-03-29', to: '2026-03-29' }, 'Europe/Stockholm');
    expect(query).toMatchObject({
      createdFrom: '2026-03-28T23:00:00.000Z',
      createdTo: '2026-03-29T22:00:00.000Z',
    });
  });
});
