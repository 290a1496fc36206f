/** What a series is divided into. */
export const intervals = ['day', 'week'] as const;
export type Interval = (typeof intervals)[number];

const dayMs = 24 * 60 * 60 * 1_000;

/** The date that lies `days` after another, as YYYY-MM-DD. */
export function isoDate(date: string, days: number): string {
  return new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);
}

/** The first dates of the intervals that two dates and all between them lie in. Weeks begin on Monday (ISO 8601). */
export function startsOf({ interval, from, to, startsMax }: Series): string[] {
  const step = interval === 'day' ? 1 : 7;
  const weekday = (new Date(from).getUTCDay() + 6) % 7;
  const starts: string[] = [];
  let start = interval === 'day' ? from : isoDate(from, -weekday);
  for (; start <= to && starts.length < startsMax; start = isoDate(start, step)) starts.push(start);
  return starts;
}

/** Which intervals. */
export interface Series {
  readonly interval: Interval;
  readonly from: string;
  readonly to: string;
  /** No more than these are counted. */
  readonly startsMax: number;
}

/** The date in a time zone; undefined where there is no time zone of that name. */
export function todayIn(timeZone: string, now: Date): string | undefined {
  // PostgreSQL reads the sign of a bare offset the other way round.
  if (!/^[A-Za-z]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  } catch {
    return undefined;
  }
}
