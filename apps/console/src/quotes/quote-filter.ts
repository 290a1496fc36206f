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

const weekDays = 7;

/** What is asked of the API for a filter, at a moment. */
export function queryOf({ view, search }: QuoteFilter, now: number): ListQuery {
  const found: ListQuery = { include: ['sentAt', 'revision'], ...(search !== '' && { search }) };
  switch (view) {
    case 'all':
      return found;
    case 'expiring': {
      const range = { validUntilFrom: daysLater(now, 0), validUntilTo: daysLater(now, weekDays) };
      return { ...found, ...range, status: ['sent'], sort: 'validUntil' };
    }
    case 'sent':
      return { ...found, status: ['sent'], validUntilFrom: daysLater(now, 0) };
    case 'silent':
      return { ...found, status: ['sent'], validUntilFrom: daysLater(now, 0), sort: 'sentAt' };
    case 'expired':
      return { ...found, status: ['sent'], validUntilTo: daysLater(now, 0), sort: '-validUntil' };
    default:
      return { ...found, status: [view] };
  }
}

/** Whether a quote belongs to a view, where the API is asked for more: those sent first come first. */
export function isInView(
  { view }: QuoteFilter,
  { sentAt }: Pick<api.QuoteListItem, 'sentAt'>,
  now: number,
): boolean {
  if (view !== 'silent') return true;
  return sentAt !== null && sentAt !== undefined && sentAt <= daysLater(now, -weekDays);
}
