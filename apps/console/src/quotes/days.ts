/** The day of an instant in a time zone, as 2027-01-31. */
export function dayIn(timeZone: string, instant: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date(instant));
}

const dayMs = 86_400_000;

/** An instant as many days later; earlier where they are negative. */
export const daysLater = (instant: number, days: number): string =>
  new Date(instant + days * dayMs).toISOString();
