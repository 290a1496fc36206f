import type { api } from '@tenantry/client';
import { daysLater } from './days.ts';

/** The states of a quote. */
export const quoteStatuses = ['draft', 'sent', 'accepted', 'rejected'] as const;
export type QuoteStatus = (typeof quoteStatuses)[number];

/** How a quote stands: one that was sent and is no longer valid has expired. */
export type QuoteStanding = QuoteStatus | 'expired';

/** How a quote stands at a moment. */
export const standingOf = (
  { status, validUntil }: Pick<api.QuoteListItem, 'status' | 'validUntil'>,
  now: number,
): QuoteStanding => (status === 'sent' && Date.parse(validUntil) < now ? 'expired' : status);

/** What a list of quotes is narrowed to. */
export const quoteViews = [
  ...(['all', 'draft', 'sent', 'expiring', 'silent'] as const),
  ...(['expired', 'accepted', 'rejected'] as const),
] as const;
export type QuoteView = (typeof quoteViews)[number];

type ListQuery = NonNullable<api.ListQuotesData['query']>;

/** The orders of the list, as the API calls them. */
const quoteOrders = [
  ...(['-number', 'number', 'customerName', '-customerName', '-sentAt', 'sentAt'] as const),
  ...(['validUntil', '-validUntil', '-totalAmount', 'totalAmount'] as const),
] as const satisfies readonly NonNullable<ListQuery['sort']>[];
export type QuoteOrder = (typeof quoteOrders)[number];

/** Which quotes are listed, in which order: what the address says. */
export interface QuoteFilter {
  readonly view: QuoteView;
  readonly search: string;
  /** Undefined: that of the view. */
  readonly sort: QuoteOrder | undefined;
}

/** The order of each view. */
const usualOrders: Readonly<Record<QuoteView, QuoteOrder>> = {
  ...{ all: '-number', draft: '-number', sent: '-sentAt', expiring: 'validUntil', silent: 'sentAt' },
  ...{ expired: '-validUntil', accepted: '-number', rejected: '-number' },
};

/** The order that a list has. */
export const orderOf = ({ view, sort }: QuoteFilter): QuoteOrder => sort ?? usualOrders[view];

/** Reads the filter of an address; what it does not know is left out. */
export function filterOf(search: Readonly<Record<string, unknown>>): QuoteFilter {
  const view = quoteViews.find((known) => known === search['view']) ?? 'all';
  const text = search['search'];
  return {
    view,
    search: typeof text === 'string' || typeof text === 'number' ? String(text) : '',
    sort: quoteOrders.find((order) => order === search['sort']),
  };
}

/** The address of a filter: what is as usual is left out. */
export function addressOf(filter: QuoteFilter): Readonly<Record<string, string>> {
  const { view, search, sort } = filter;
  return {
    ...(view !== 'all' && { view }),
    ...(search !== '' && { search }),
    ...(sort !== undefined && sort !== usualOrders[view] && { sort }),
  };
}

const weekDays = 7;

/** What is asked of the API for a filter, at a moment. */
export function queryOf(filter: QuoteFilter, now: number): ListQuery {
  const { view, search } = filter;
  const found: ListQuery = {
    include: ['sentAt', 'openedAt', 'decidedAt', 'revision'],
    sort: orderOf(filter),
    ...(search !== '' && { search }),
  };
  switch (view) {
    case 'all':
      return found;
    case 'expiring': {
      const range = { validUntilFrom: daysLater(now, 0), validUntilTo: daysLater(now, weekDays) };
      return { ...found, ...range, status: ['sent'] };
    }
    case 'sent':
    case 'silent':
      return { ...found, status: ['sent'], validUntilFrom: daysLater(now, 0) };
    case 'expired':
      return { ...found, status: ['sent'], validUntilTo: daysLater(now, 0) };
    default:
      return { ...found, status: [view] };
  }
}

/** Whether a quote belongs to a view, where the API is asked for more. */
export function isInView(
  { view }: QuoteFilter,
  { sentAt }: Pick<api.QuoteListItem, 'sentAt'>,
  now: number,
): boolean {
  if (view !== 'silent') return true;
  return sentAt !== null && sentAt !== undefined && sentAt <= daysLater(now, -weekDays);
}
