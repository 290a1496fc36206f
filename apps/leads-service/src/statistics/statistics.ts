import { seriesOf, type SeriesQuery } from '@tenantry/service/resources';
import type { Tenant } from '../database.ts';
import type { StatisticsRepository } from './statistics.repository.ts';

/** The figures of an organization's leads. */
export class Statistics {
  readonly #repository: StatisticsRepository;
  readonly #now: () => Date;

  constructor(repository: StatisticsRepository, now: () => Date) {
    this.#repository = repository;
    this.#now = now;
  }

  /** How many leads there are, and how many entered each status in each interval. */
  async read(tenant: Tenant, query: SeriesQuery) {
    const series = seriesOf(query, this.#now());
    const { byStatus, entered } = await this.#repository.read(tenant, series);
    return {
      total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      byStatus,
      series: series.starts.map((start) => ({ start, entered: entered(start) })),
    };
  }
}
