import { foldedAlike, foundIn, searchedText } from '@tenantry/tenancy';
import type { QuoteFilters } from './quote.ts';
import { quoteStatus } from './quote-status.ts';

/** The kinds of filters; for the first three the total comes from counters. */
export const filterKinds = [
  ...(['none', 'status', 'statuses'] as const),
  ...(['customer', 'search', 'matching', 'dated', 'every'] as const),
] as const;
export type FilterKind = (typeof filterKinds)[number];
/** Those that may have a term. */
export const searchKinds = ['search', 'matching', 'dated', 'every'] as const satisfies readonly FilterKind[];
export type SearchKind = (typeof searchKinds)[number];

/** The searched text; a search for fewer than three letters in a row reads all of it. */
export const quoteText = searchedText({
  project: 'quotation-service',
  name: 'quote-search-sample',
  table: 'quotes',
  text: foldedAlike('search_text'),
  where: 'deleted_at IS NULL AND superseded_by IS NULL',
  orderedBy: 'created_at',
});

// Any text contains the empty one.
const contains = (term: string): string => `AND ${foundIn('search_text', term)}`;

const matching = `AND status = ANY ($4::text[]) ${contains('$5')}`;
const dated = `${matching} AND valid_until >= $6::timestamptz AND valid_until < $7::timestamptz`;

/** The condition of each kind for a current quote of the organization, with its values from `$4` on. */
export const filterConditions: Readonly<Record<FilterKind, string>> = {
  none: '',
  status: 'AND status = $4',
  statuses: 'AND status = ANY ($4::text[])',
  customer: 'AND customer_id = $4',
  // Separate, because the other conditions would add a third to its time.
  search: contains('$4'),
  matching,
  dated,
  every: `${dated} AND customer_id = $8`,
};

/** The simplest kind that covers a filter, and its values. */
export function filterOf({ statuses = [], search = '', customerId, ...until }: QuoteFilters) {
  const { validUntilFrom, validUntilTo } = until;
  const [only, ...others] = statuses;
  const anyOf = only === undefined ? quoteStatus.states : statuses;
  const isDated = validUntilFrom !== undefined || validUntilTo !== undefined;
  const all = [anyOf, search, validUntilFrom ?? '-infinity', validUntilTo ?? 'infinity'] as const;
  if (customerId !== undefined)
    return only === undefined && search === '' && !isDated
      ? ({ kind: 'customer', values: [customerId] } as const)
      : ({ kind: 'every', values: [...all, customerId] } as const);
  if (isDated) return { kind: 'dated', values: all } as const;
  if (search !== '')
    return only === undefined
      ? ({ kind: 'search', values: [search] } as const)
      : ({ kind: 'matching', values: [anyOf, search] } as const);
  if (only === undefined) return { kind: 'none', values: [] } as const;
  if (others.length > 0) return { kind: 'statuses', values: [statuses] } as const;
  return { kind: 'status', values: [only] } as const;
}
