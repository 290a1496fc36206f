import { foundIn, searchedText } from '@tenantry/tenancy';
import type { LeadFilters } from './lead.ts';
import { leadStatus } from './lead-status.ts';

/** The kinds of filters; for the first three the total comes from counters. */
export const filterKinds = ['none', 'status', 'statuses', 'search', 'matching', 'dated'] as const;
export type FilterKind = (typeof filterKinds)[number];
/** Those that may have a term. */
export const searchKinds = ['search', 'matching', 'dated'] as const satisfies readonly FilterKind[];
export type SearchKind = (typeof searchKinds)[number];

// Any text contains the empty one.
const contains = (term: string): string =>
  `AND (${foundIn('folded_name', term)} OR ${foundIn('folded_email', term)})`;

/** The searched text; a search for fewer than three letters in a row reads all of it. */
export const leadText = searchedText({
  project: 'leads-service',
  name: 'lead-search-sample',
  table: 'leads',
  text: String.raw`folded_name || E'\n' || folded_email`,
  where: 'deleted_at IS NULL',
  orderedBy: 'created_at',
});

const matching = `
  AND status = ANY ($4::text[])
  ${contains('$5')}
  AND ($6::text IS NULL OR folded_source = (SELECT app.fold_text($6)))`;

/** The condition of each kind for a live lead of the organization, with its values from `$4` on. */
export const filterConditions: Readonly<Record<FilterKind, string>> = {
  none: '',
  status: 'AND status = $4',
  statuses: 'AND status = ANY ($4::text[])',
  // Separate, because the other conditions would add a third to its time.
  search: contains('$4'),
  matching,
  dated: `${matching} AND created_at >= $7::timestamptz AND created_at < $8::timestamptz`,
};

/** The values of `dated`, which has all conditions, for any filter. */
export function everyFilterValue({
  statuses = [],
  search = '',
  source,
  createdFrom,
  createdTo,
}: LeadFilters) {
  const anyOf = statuses.length === 0 ? leadStatus.states : statuses;
  return [anyOf, search, source ?? null, createdFrom ?? '-infinity', createdTo ?? 'infinity'] as const;
}

/** The simplest kind that covers a filter, and its values. */
export function filterOf(filters: LeadFilters) {
  const { statuses = [], search = '', source, createdFrom, createdTo } = filters;
  const values = everyFilterValue(filters);
  if (createdFrom !== undefined || createdTo !== undefined) return { kind: 'dated', values } as const;
  if (search !== '' && statuses.length === 0 && source === undefined)
    return { kind: 'search', values: [search] } as const;
  const [anyOf, term, exactSource] = values;
  if (search !== '' || source !== undefined)
    return { kind: 'matching', values: [anyOf, term, exactSource] } as const;
  const [only, ...others] = statuses;
  if (only === undefined) return { kind: 'none', values: [] } as const;
  if (others.length > 0) return { kind: 'statuses', values: [statuses] } as const;
  return { kind: 'status', values: [only] } as const;
}
