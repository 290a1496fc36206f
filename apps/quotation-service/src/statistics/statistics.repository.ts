import { amountOf, type Amount } from '@tenantry/money';
import { refuseUnknownTimeZone, type Series } from '@tenantry/service/resources';
import { statement, type Rows } from '../database.ts';
import type { QuoteStatus } from '../quotes/quote-status.ts';

/** Number and value of quotes in a status, in one currency. */
export interface QuoteCount {
  readonly currency: string;
  readonly status: QuoteStatus;
  readonly quotes: number;
  readonly totalAmount: Amount;
}

const startOf = (moment: string) => `to_char(date_trunc($2, ${moment} AT TIME ZONE $3), 'YYYY-MM-DD')`;
const within = (moment: string) =>
  `${moment} >= $4::date::timestamp AT TIME ZONE $3 AND ${moment} < ($5::date + 1)::timestamp AT TIME ZONE $3`;

// Triggers keep the counts as a sum of changes: exact, and as quick for a million quotes as for ten. The series is read from
// indexes of the times.
const quoteFigures = statement({
  name: 'quote-statistics',
  text: `
    SELECT NULL AS start, currency, status, coalesce(sum(quotes), 0)::int AS quotes, trim_scale(coalesce(sum(amount), 0))::text AS "totalAmount"
    FROM quote_counts WHERE organization_id = $1 GROUP BY currency, status HAVING sum(quotes) > 0
    UNION ALL
    SELECT CASE WHEN valid_until < $6::timestamptz THEN 'expired' ELSE 'waiting' END, currency, 'sent', count(*)::int,
      trim_scale(coalesce(sum(total_amount), 0))::text
    FROM quotes WHERE organization_id = $1 AND status = 'sent' AND deleted_at IS NULL AND superseded_by IS NULL GROUP BY 1, 2
    UNION ALL
    SELECT ${startOf('sent_at')}, currency, 'sent', count(*)::int, trim_scale(coalesce(sum(total_amount), 0))::text
    FROM quotes WHERE organization_id = $1 AND ${within('sent_at')} GROUP BY 1, 2
    UNION ALL
    SELECT ${startOf('decided_at')}, currency, decision, count(*)::int, trim_scale(coalesce(sum(total_amount), 0))::text
    FROM quote_decisions d JOIN quotes q ON q.organization_id = $1 AND q.id = d.quote_id
    WHERE d.organization_id = $1 AND ${within('decided_at')} GROUP BY 1, 2, 3
    ORDER BY currency, status`,
});

/** Counts of quotes. */
export class StatisticsRepository {
  /**
   * All figures, of one snapshot, ordered by currency: one for each existing currency and status, those of quotes sent that
   * can be accepted at a moment or have expired by then, and those of quotes sent, accepted and rejected in the interval that begins on a date.
   *
   * @throws VALIDATION_ERROR where PostgreSQL does not know the time zone.
   */
  async read(rows: Rows, { interval, timeZone, from, to }: Series, now: Date) {
    const values = [interval, timeZone, from, to, now] as const;
    const found = await rows.query(quoteFigures, values).catch(refuseUnknownTimeZone);
    const countsAt = (wanted: string | null): QuoteCount[] =>
      found
        .filter(({ start }) => start === wanted)
        .map(({ status, totalAmount, ...counts }) => ({
          ...counts,
          status: status as QuoteStatus,
          totalAmount: amountOf(totalAmount),
        }));
    return {
      current: countsAt(null),
      waiting: countsAt('waiting'),
      expired: countsAt('expired'),
      moved: countsAt,
    };
  }
}
