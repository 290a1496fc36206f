import { seriesOf, type SeriesQuery } from '@tenantry/service/resources';
import type { Tenant } from '../database.ts';
import { quoteStatus, type QuoteStatus } from '../quotes/quote-status.ts';
import type { QuoteCount, StatisticsRepository } from './statistics.repository.ts';

/** Reading statistics. */
export class Statistics {
  readonly #repository: StatisticsRepository;
  readonly #now: () => Date;

  constructor(repository: StatisticsRepository, now: () => Date) {
    this.#repository = repository;
    this.#now = now;
  }

  /**
   * The newest revision of each quote by status, those sent that wait for an answer or have expired, the share of accepted ones among those decided on, and what happened in each
   * interval, where each revision counts.
   */
  async read(tenant: Tenant, query: SeriesQuery) {
    const now = this.#now();
    const asked = seriesOf(query, now);
    const { current, waiting, expired, moved } = await this.#repository.read(tenant, asked, now);
    const statuses = quoteStatus.states.map((status) => ({ status, ...countedQuotes(status, current) }));
    const quotesIn = (wanted: QuoteStatus) => statuses.find(({ status }) => status === wanted)?.quotes ?? 0;
    const accepted = quotesIn('accepted');
    const decided = accepted + quotesIn('rejected');
    const acceptance = { rate: decided === 0 ? null : accepted / decided, accepted, decided };
    return {
      statuses,
      waiting: countedQuotes('sent', waiting),
      expired: countedQuotes('sent', expired),
      acceptance,
      series: asked.starts.map((start) => countedInterval(start, moved(start))),
    };
  }
}

const countedInterval = (start: string, counts: readonly QuoteCount[]) => ({
  start,
  sent: countedQuotes('sent', counts),
  accepted: countedQuotes('accepted', counts),
  rejected: countedQuotes('rejected', counts),
});

/** The number of quotes in a status, and their value in each currency. */
function countedQuotes(status: QuoteStatus, counts: readonly QuoteCount[]) {
  const own = counts.filter((count) => count.status === status);
  const amounts = own.map(({ currency, quotes, totalAmount }) => ({ currency, quotes, totalAmount }));
  return { quotes: own.reduce((sum, { quotes }) => sum + quotes, 0), amounts };
}
