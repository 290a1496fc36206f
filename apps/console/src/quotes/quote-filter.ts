import type { api } from '@tenantry/client';

/** The states of a quote. */
export const quoteStatuses = ['draft', 'sent', 'accepted', 'rejected'] as const;
export type QuoteStatus = (typeof quoteStatuses)[number];

/** What a list of quotes is narrowed to. */
export const quoteViews = ['all', ...quoteStatuses] as const;
export type QuoteView = (typeof quoteViews)[number];

/** Which quotes are listed: what the address says. */
export interface QuoteFilter {
  readonly view: QuoteView;
  readonly search: string;
}

/** Reads the filter of an address; what it does not know is left out. */
export function filterOf(search: Readonly<Record<string, unknown>>): QuoteFilter {
  const view = quoteViews.find((known) => known === search['view']) ?? 'all';
  const text = search['search'];
  return { view, search: typeof text === 'string' || typeof text === 'number' ? String(text) : '' };
}

/** The address of a filter: what is as usual is left out. */
export function addressOf({ view, search }: QuoteFilter): Readonly<Record<string, string>> {
  return { ...(view !== 'all' && { view }), ...(search !== '' && { search }) };
}

type ListQuery = NonNullable<api.ListQuotesData['query']>;

/** What is asked of the API for a filter. */
export function queryOf({ view, search }: QuoteFilter): ListQuery {
  return { ...(search !== '' && { search }), ...(view !== 'all' && { status: view }) };
}
