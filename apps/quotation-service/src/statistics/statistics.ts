import type { Tenant } from '../database.ts';
import { quoteStatus, type QuoteStatus } from '../quotes/quote-status.ts';
import type { QuoteCount, StatisticsRepository } from './statistics.repository.ts';

/** What the quotes of an organization come to. The newest revision of each counts. */
export interface QuoteStatistics {
  readonly statuses: CountedStatus[];
  readonly acceptance: Acceptance;
}

/** The quotes of a status, in each currency that there is. */
export interface CountedStatus {
  readonly status: QuoteStatus;
  readonly quotes: number;
  readonly amounts: { readonly currency: string; readonly quotes: number; readonly totalAmount: number }[];
}

/** How many of those that were decided on were accepted. */
export interface Acceptance {
  /** From 0 to 1; null before any was decided on. */
  readonly rate: number | null;
  readonly accepted: number;
  /** Accepted and rejected together. */
  readonly decided: number;
}

/** Reading statistics. */
export interface Statistics {
  current(tenant: Tenant): Promise<QuoteStatistics>;
}

export function createStatistics(repository: StatisticsRepository): Statistics {
  return {
    async current(tenant) {
      const counts = await repository.counts(tenant);
      const statuses = quoteStatus.states.map((status) => countedStatus(status, counts));
      const quotesIn = (wanted: QuoteStatus) => statuses.find(({ status }) => status === wanted)?.quotes ?? 0;
      const accepted = quotesIn('accepted');
      const decided = accepted + quotesIn('rejected');
      return { statuses, acceptance: { rate: decided === 0 ? null : accepted / decided, accepted, decided } };
    },
  };
}

function countedStatus(status: QuoteStatus, counts: readonly QuoteCount[]): CountedStatus {
  const own = counts.filter((count) => count.status === status);
  const amounts = own.map(({ currency, quotes, totalAmount }) => ({ currency, quotes, totalAmount }));
  return { status, quotes: own.reduce((sum, { quotes }) => sum + quotes, 0), amounts };
}
