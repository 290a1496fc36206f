import { seriesOf, type SeriesQuery } from '@tenantry/service-kit/resources';
import type { Tenant } from '../database.ts';
import { quoteStatus, type QuoteStatus } from '../quotes/quote-status.ts';
import type { QuoteCount, StatisticsRepository } from './statistics.repository.ts';

/** Totals of an organization's quotes. The newest revision of each counts. */
export interface QuoteStatistics {
  readonly statuses: CountedStatus[];
  readonly acceptance: Acceptance;
  readonly series: CountedInterval[];
}

/** Events in an interval. Each revision counts. */
export interface CountedInterval {
  /** The first date. */
  readonly start: string;
  readonly sent: CountedQuotes;
  readonly accepted: CountedQuotes;
  readonly rejected: CountedQuotes;
}

/** The quotes of a status. */
export interface CountedStatus extends CountedQuotes {
  readonly status: QuoteStatus;
}

/** The number of quotes, and their value in each currency. */
export interface CountedQuotes {
  readonly quotes: number;
  readonly amounts: { readonly currency: string; readonly quotes: number; readonly totalAmount: number }[];
}

/** The share of accepted quotes among those decided on. */
export interface Acceptance {
  /** From 0 to 1; null before any was decided on. */
  readonly rate: number | null;
  readonly accepted: number;
  /** Accepted and rejected together. */
  readonly decided: number;
}

/** Reading statistics. */
export class Statistics {
  readonly #repository: StatisticsRepository;
  readonly #now: () => Date;

  constructor(repository: StatisticsRepository, now: () => Date) {
    this.#repository = repository;
    this.#now = now;
  }

  async read(tenant: Tenant, query: SeriesQuery): Promise<QuoteStatistics> {
    const asked = seriesOf(query, this.#now());
    const { current, moved } = await this.#repository.read(tenant, asked);
    const statuses = quoteStatus.states.map((status) => ({ status, ...countedQuotes(status, current) }));
    const quotesIn = (wanted: QuoteStatus) => statuses.find(({ status }) => status === wanted)?.quotes ?? 0;
    const accepted = quotesIn('accepted');
    const decided = accepted + quotesIn('rejected');
    const acceptance = { rate: decided === 0 ? null : accepted / decided, accepted, decided };
    return {
      statuses,
      acceptance,
      series: asked.starts.map((start) => countedInterval(start, moved(start))),
    };
  }
}

const countedInterval = (start: string, counts: readonly QuoteCount[]): CountedInterval => ({
  start,
  sent: countedQuotes('sent', counts),
  accepted: countedQuotes('accepted', counts),
  rejected: countedQuotes('rejected', counts),
});

function countedQuotes(status: QuoteStatus, counts: readonly QuoteCount[]): CountedQuotes {
  const own = counts.filter((count) => count.status === status);
  const amounts = own.map(({ currency, quotes, totalAmount }) => ({ currency, quotes, totalAmount }));
  return { quotes: own.reduce((sum, { quotes }) => sum + quotes, 0), amounts };
}
