import { endOfDay } from '../design/day-start.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Days for which a key can be made, besides a day of one's own. */
export const lifetimes = [30, 90, 365] as const;

/** The longest of them, in days. */
export const lifetimeDaysMax = 365;

/** How long before their end owners get a letter. */
const soonDays = 14;

/** How a key stands. */
export type Expiry = 'expired' | 'soon' | 'later';

/** @param expiresAt ISO 8601 */
export function expiryOf(expiresAt: string, now: number): Expiry {
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return 'expired';
  return leftMs < soonDays * dayMs ? 'soon' : 'later';
}

/** The day so many days from now, as 2027-01-31. @param timeZone IANA; by default that of the browser */
export function dayAhead(days: number, now: number, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return format.format(new Date(now + days * dayMs));
}

/**
 * The last moment of a day, until which a key can work. The API wants it within 366 days, by its own clock.
 *
 * @param day as 2027-01-31; empty if none was chosen
 * @returns undefined for a day that is over, or too far ahead
 */
export function expiryAt(day: string, now: number, timeZone: string | undefined): Date | undefined {
  if (day < dayAhead(0, now, timeZone) || day > dayAhead(lifetimeDaysMax, now, timeZone)) return undefined;
  return new Date(
    Math.min(endOfDay(day, timeZone).getTime() - 1, now + (lifetimeDaysMax + 1) * dayMs - hourMs),
  );
}
