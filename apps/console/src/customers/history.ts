import type { ListedQuote } from '../quotes/quotes.queries.ts';

/** Something that happened to a quote of a customer. */
export interface CustomerEvent {
  readonly kind: 'sent' | 'opened' | 'accepted' | 'rejected';
  /** ISO 8601. */
  readonly at: string;
  readonly quote: ListedQuote;
}

const shownMax = 10;

/** What happened last to quotes, latest first. */
export function eventsOf(quotes: readonly ListedQuote[]): readonly CustomerEvent[] {
  return quotes
    .flatMap((quote) =>
      (
        [
          ['sent', quote.sentAt],
          ['opened', quote.openedAt],
          [quote.status === 'rejected' ? 'rejected' : 'accepted', quote.decidedAt],
        ] as const
      ).flatMap(([kind, at]) => (typeof at === 'string' ? [{ kind, at, quote }] : [])),
    )
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, shownMax);
}
