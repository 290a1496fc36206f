import { seriesOf, type SeriesQuery } from '@tenantry/service-kit/resources';
import type { Tenant } from '../database.ts';
import type { ByStatus } from '../leads/lead-status.ts';
import type { StatisticsRepository } from './statistics.repository.ts';

/** How many leads there are, and how many entered each status in each interval. */
export interface LeadStatistics {
  readonly total: number;
  readonly byStatus: ByStatus;
  readonly series: readonly { readonly start: string; readonly entered: ByStatus }[];
}

/** What the figures are made from. */
export interface StatisticsOptions {
  readonly repository: StatisticsRepository;
  readonly now: () => Date;
}

/** The figures of an organization's leads. */
export class Statistics {
  readonly #options: StatisticsOptions;

  constructor(options: StatisticsOptions) {
    this.#options = options;
  }

  async read(tenant: Tenant, query: SeriesQuery): Promise<LeadStatistics> {
    const { repository, now } = this.#options;
    const series = seriesOf(query, now());
    const { byStatus, entered } = await repository.read(tenant, series);
    return {
      total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      byStatus,
      series: series.starts.map((start) => ({ start, entered: entered(start) })),
    };
  }
}
