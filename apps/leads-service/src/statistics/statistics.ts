import { invalidField } from '@tenantry/envelope';
import type { Tenant } from '../database.ts';
import type { ByStatus } from '../leads/lead-status.ts';
import { isoDate, startsOf, todayIn, type Interval } from './calendar.ts';
import type { StatisticsRepository } from './statistics.repository.ts';

/** What a chart is asked for. Dates are those of the time zone, both included; default: up to today. */
export interface StatisticsQuery {
  readonly interval: Interval;
  /** An IANA name. */
  readonly timeZone: string;
  readonly from?: string;
  readonly to?: string;
}

/** How many leads there are, and how many entered each status in each interval. */
export interface Statistics {
  readonly total: number;
  readonly byStatus: ByStatus;
  readonly series: readonly { readonly start: string; readonly entered: ByStatus }[];
}

/** The figures of an organization's leads. */
export type ReadStatistics = (tenant: Tenant, query: StatisticsQuery) => Promise<Statistics>;

/** What the figures are made from. */
export interface StatisticsDependencies {
  readonly repository: StatisticsRepository;
  readonly now: () => Date;
}

const intervalsMax = 400;
const daysByDefault: Readonly<Record<Interval, number>> = { day: 30, week: 12 * 7 };

export function createStatistics({ repository, now }: StatisticsDependencies): ReadStatistics {
  return async (tenant, { interval, timeZone, ...dates }) => {
    const today = todayIn(timeZone, now());
    if (today === undefined) throw unknownTimeZone();
    const to = dates.to ?? today;
    const from = dates.from ?? isoDate(to, 1 - daysByDefault[interval]);
    requireRange(from, to);
    const starts = startsOf({ interval, from, to, startsMax: intervalsMax + 1 });
    if (starts.length > intervalsMax) throw tooLong(interval);
    const figures = await repository.read(tenant, { interval, timeZone, from: starts[0] ?? from, to });
    if (!figures) throw unknownTimeZone();
    const { byStatus, entered } = figures;
    return {
      total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      byStatus,
      series: starts.map((start) => ({ start, entered: entered(start) })),
    };
  };
}

function requireRange(from: string, to: string): void {
  const [earliest, latest] = ['1970-01-01', '9998-12-31'];
  for (const [field, date] of Object.entries({ to, from })) {
    if (date >= earliest && date <= latest) continue;
    throw invalidField({ field, rule: 'range', message: `must be between ${earliest} and ${latest}` });
  }
  if (from > to) throw invalidField({ field: 'from', rule: 'range', message: 'must not be after to' });
}

const unknownTimeZone = () =>
  invalidField({
    field: 'timeZone',
    rule: 'timeZone',
    message: 'must be a time zone such as Europe/Stockholm',
  });

const tooLong = (interval: Interval) =>
  invalidField({
    field: 'from',
    rule: 'range',
    params: { limit: intervalsMax },
    message: `must be at most ${intervalsMax} ${interval}s before to`,
  });
