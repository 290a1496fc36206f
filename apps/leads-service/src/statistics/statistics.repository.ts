import { refuseUnknownTimeZone, type Series } from '@tenantry/service/resources';
import { statement, type Rows } from '../database.ts';
import { leadStatus, type ByStatus } from '../leads/lead-status.ts';

const figures = statement({
  name: 'lead-statistics',
  text: `
    SELECT NULL AS start, status, sum(change)::int AS count
    FROM lead_counts WHERE organization_id = $1 GROUP BY status
    UNION ALL
    SELECT to_char(date_trunc($2, quarter AT TIME ZONE $3), 'YYYY-MM-DD'), status, sum(entered)::int
    FROM lead_entry_counts
    WHERE organization_id = $1
      AND quarter >= $4::date::timestamp AT TIME ZONE $3
      AND quarter < ($5::date + 1)::timestamp AT TIME ZONE $3
    GROUP BY 1, 2`,
});

/** The counters of an organization. */
export class StatisticsRepository {
  /**
   * All figures, of one snapshot: live leads by status, and how many entered each status in the interval that begins on a date.
   *
   * @throws VALIDATION_ERROR where PostgreSQL does not know the time zone.
   */
  async read(rows: Rows, { interval, timeZone, from, to }: Series) {
    const found = await rows.query(figures, [interval, timeZone, from, to]).catch(refuseUnknownTimeZone);
    const countsAt = (start: string | null) => byStatus(found.filter((row) => row.start === start));
    return { byStatus: countsAt(null), entered: countsAt };
  }
}

function byStatus(rows: readonly { readonly status: string; readonly count: number | null }[]): ByStatus {
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  return Object.fromEntries(leadStatus.states.map((state) => [state, counts.get(state) ?? 0])) as ByStatus;
}
