import { endOfDay } from '../design/day-start.ts';
import { formatsOf, type Reading } from '../design/language.ts';

/** The day of an instant in a time zone, as 2027-01-31. */
export function dayIn(timeZone: string, instant: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant));
}

const dayMs = 86_400_000;

/** An instant as many days later; earlier where they are negative. */
export const daysLater = (instant: number, days: number): string =>
  new Date(instant + days * dayMs).toISOString();

/** The last millisecond of a day in a time zone: until then a quote of that day is valid. */
export const lastMoment = (day: string, timeZone: string): Date =>
  new Date(endOfDay(day, timeZone).getTime() - 1);

/** The last day of a validity in a time zone; with the time where it ends within the day. */
export function lastDay(instant: string, timeZone: string, { language, formats }: Reading): string {
  const day = dayIn(timeZone, instant);
  if (lastMoment(day, timeZone).getTime() === Date.parse(instant)) return formats.date(day);
  return formatsOf(language, timeZone).moment(instant);
}
