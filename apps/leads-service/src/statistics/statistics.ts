import { seriesOf, type SeriesQuery } from '@tenantry/service-kit/resources';
import type { Tenant } from '../database.ts';
import type { ByStatus } from '../leads/lead-status.ts';
import type { StatisticsRepository } from './statistics.repository.ts';

/** How many leads there are, and how many entered each status in each interval. */
export interface Statistics {
  readonly total: number;
  readonly byStatus: ByStatus;
  readonly series: readonly { readonly start: string; readonly entered: ByStatus }[];
}

/** The figures of an organization's leads. */
export type ReadStatistics = (tenant: Tenant, query: SeriesQuery) => Promise<Statistics>;

/** What the figures are made from. */
export interface StatisticsDependencies {
  readonly repository: StatisticsRepository;
  readonly now: () => Date;
}

export function createStatistics({ repository, now }: StatisticsDependencies): ReadStatistics {
  return async (tenant, query) => {
    const series = seriesOf(query, now());
    const { byStatus, entered } = await repository.read(tenant, series);
    return {
      total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      byStatus,
      series: series.starts.map((start) => ({ start, entered: entered(start) })),
    };
  };
}
