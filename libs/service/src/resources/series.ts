import { invalidField } from '@tenantry/envelope';
import { Type } from 'typebox';
import { ClosedObject } from './fields.ts';
import { timeZoneNamed } from './time-zones.ts';

/** The intervals of a series. */
const intervals = ['day', 'week'] as const;
type Interval = (typeof intervals)[number];

const date = (description: string) => Type.Optional(Type.String({ format: 'date', description }));

/** The query of statistics with a series: which days or weeks of which time zone. */
export const SeriesQuerySchema = ClosedObject({
  interval: Type.Enum([...intervals], { default: 'day', description: 'weeks begin on Monday' }),
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    default: 'UTC',
    examples: ['Europe/Stockholm'],
    description: 'the IANA time zone in which days begin',
  }),
  from: date('the first date; 30 days or 12 weeks up to the last one unless given'),
  to: date('the last date; today unless given'),
});

/** The first date of an interval, in a response. */
export const SeriesStart = () =>
  Type.String({ format: 'date', description: 'the first date of the interval' });

/** The requested range. Dates are those of the time zone, both inclusive; default: up to today. */
export interface SeriesQuery {
  readonly interval: Interval;
  /** An IANA name. */
  readonly timeZone: string;
  readonly from?: string;
  readonly to?: string;
}

/** The part of a history that is counted, and its intervals. */
export interface Series extends Required<SeriesQuery> {
  /** The first dates of the intervals, of which the first is `from`. */
  readonly starts: readonly string[];
}

const intervalsMax = 400;
const daysByDefault: Readonly<Record<Interval, number>> = { day: 30, week: 12 * 7 };

/**
 * Computes the requested intervals: at most 400.
 *
 * @throws VALIDATION_ERROR naming the field.
 * @example const { starts, ...range } = seriesOf(request.query, now());
 */
export function seriesOf({ interval, timeZone: name, ...dates }: SeriesQuery, now: Date): Series {
  const timeZone = zoneOf(name);
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  const to = dates.to ?? today;
  const from = dates.from ?? isoDate(to, 1 - daysByDefault[interval]);
  requireRange(from, to);
  const starts = startsOf(interval, from, to);
  if (starts.length > intervalsMax) throw tooLong(interval);
  return { interval, timeZone, from: starts[0] ?? from, to, starts };
}

/**
 * For the `catch` of a query by a series: refuses a time zone that PostgreSQL does not know, since Node.js may know more.
 *
 * @throws VALIDATION_ERROR, or what it was given.
 */
export function refuseUnknownTimeZone(error: unknown): never {
  const invalidParameterValue = '22023';
  throw (error as { code?: unknown }).code === invalidParameterValue ? unknownTimeZone() : error;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** The date that lies `days` after another, as YYYY-MM-DD. */
function isoDate(start: string, days: number): string {
  return new Date(Date.parse(start) + days * dayMs).toISOString().slice(0, 10);
}

/** The first dates of the intervals that two dates and all between them lie in, and one too many at most. ISO 8601. */
function startsOf(interval: Interval, from: string, to: string): string[] {
  const step = interval === 'day' ? 1 : 7;
  const weekday = (new Date(from).getUTCDay() + 6) % 7;
  const starts: string[] = [];
  let start = interval === 'day' ? from : isoDate(from, -weekday);
  for (; start <= to && starts.length <= intervalsMax; start = isoDate(start, step)) starts.push(start);
  return starts;
}

/**
 * A name that is the same zone to Node.js and PostgreSQL. One without a place may be an abbreviation there, as `CET` is, of a fixed
 * offset; one with a place keeps its spelling, since PostgreSQL need not know the one that Node.js prefers.
 */
function zoneOf(name: string): string {
  const timeZone = timeZoneNamed(name);
  if (timeZone === undefined) throw unknownTimeZone();
  return name.includes('/') ? name : timeZone;
}

function requireRange(from: string, to: string): void {
  const [earliest, latest] = ['1970-01-01', '9998-12-31'];
  for (const [field, given] of Object.entries({ to, from })) {
    if (given >= earliest && given <= latest) continue;
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
