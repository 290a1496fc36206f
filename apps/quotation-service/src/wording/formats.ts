import { minorDigits } from '@tenantry/money';
import { isEndOfDay } from './time-zone.ts';

/** Formats amounts and dates in a language, with the currency's decimals. */
export interface Formats {
  /** With its currency: `SEK 5,518.59`. */
  readonly money: (amount: number) => string;
  /** As in a column: `5,518.59`. */
  readonly amount: (amount: number) => string;
  /** A price of one, with up to four decimals: `12.3456`. */
  readonly unitPrice: (amount: number) => string;
  readonly quantity: (quantity: number) => string;
  /** `25%` */
  readonly percent: (rate: number) => string;
  /** The day of an instant in the document's time zone: `20 December 2026`. */
  readonly day: (instant: string) => string;
  /** The same with its time: `20 December 2026 at 14:30 CET`. */
  readonly moment: (instant: string) => string;
  /** The last day of a validity; with the time where it ends within the day: `20 December 2026 at 14:30 CET`. */
  readonly lastDay: (instant: string) => string;
}

/** A document whose amounts are in one currency, and its days in one time zone. */
interface Formatted {
  readonly currency: string;
  readonly timeZone: string;
}

/** The formats of a document in a locale. */
export function formatsOf({ currency, timeZone }: Formatted, locale: string): Formats {
  const digits = minorDigits(currency);
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const money = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    ...exactly,
  });
  const amount = new Intl.NumberFormat(locale, exactly);
  const unitPrice = new Intl.NumberFormat(locale, { ...exactly, maximumFractionDigits: 4 });
  const quantity = new Intl.NumberFormat(locale, { maximumFractionDigits: 4 });
  const percent = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'percent',
    maximumFractionDigits: 2,
  });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const moment = new Intl.DateTimeFormat(locale, {
    ...{ timeZone, day: 'numeric', month: 'long', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });
  return {
    money: (value) => money.format(value),
    amount: (value) => amount.format(value),
    unitPrice: (value) => unitPrice.format(value),
    quantity: (value) => quantity.format(value),
    percent: (value) => percent.format(value),
    day: (instant) => day.format(new Date(instant)),
    moment: (instant) => moment.format(new Date(instant)),
    lastDay: (instant) => {
      const end = new Date(instant);
      return (isEndOfDay(timeZone, end) ? day : moment).format(end);
    },
  };
}

/** A text on one line, since names and titles from another service may contain line breaks. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
