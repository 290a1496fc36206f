import { invalidField } from '@tenantry/envelope';
import { dayIn, endOfDay, isEndOfDay } from '../wording/time-zone.ts';
import type { Quote } from './quote.ts';

const standardDays = 30;

/** The default validity of a new quote: documents name a day, so it lasts until that day's end in the time zone. */
export const standardValidity = (now: Date, timeZone: string): Date =>
  endOfDay(dayIn(timeZone, now, standardDays), timeZone);

/**
 * The validity of a revision: until the same day as the previous one or, if that has expired, as long as a new quote. The previous one
 * named its day in the time zone that it was sent with.
 */
export function revisedValidity(
  { validUntil, seller }: Pick<Quote, 'validUntil' | 'seller'>,
  now: Date,
  timeZone: string,
): Date {
  const previous = new Date(validUntil);
  if (previous < now) return standardValidity(now, timeZone);
  const sentIn = seller?.timeZone ?? timeZone;
  return isEndOfDay(sentIn, previous) ? endOfDay(dayIn(sentIn, previous), timeZone) : previous;
}

/**
 * Parses the end of a quote's validity: a time, or a date, meaning its end in the time zone.
 *
 * @throws VALIDATION_ERROR for a leap second and for years that ISO 8601 does not write with four digits.
 */
export function readValidUntil(text: string, timeZone: string): Date {
  const moment = text.includes('T') || text.includes(' ') ? new Date(text) : endOfDay(text, timeZone);
  const year = moment.getUTCFullYear();
  if (year >= 1 && year <= 9_999) return moment;
  const message = 'must be a moment within the years 1 to 9999';
  throw invalidField({ field: 'validUntil', rule: 'format', message });
}

/** The `meta.warnings` of a quote that can no longer be accepted. */
export function validityWarnings(validUntil: string, now: Date): Warning[] {
  if (Date.parse(validUntil) >= now.getTime()) return [];
  return [
    {
      code: 'VALID_UNTIL_PAST',
      message: 'validUntil is in the past: the customer cannot accept this quote.',
    },
  ];
}

/** A warning about a request that was executed but may be unintended. */
export interface Warning {
  readonly code: 'VALID_UNTIL_PAST';
  readonly message: string;
}
