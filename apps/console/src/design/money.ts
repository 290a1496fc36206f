import { minorDigits, type Amount } from '@tenantry/money';
import { locales, useLanguage, type Language } from './language.ts';
import { madeOnce } from './made-once.ts';

/** Writes an amount with its currency: `SEK 1,234.50`. */
export type MoneyFormat = (amount: Amount, currency: string) => string;

const formatIn = madeOnce((language: Language, currency: string) => {
  const digits = minorDigits(currency);
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency, ...exactly });
});

/**
 * How money is written in a language, in as many decimals as ISO 4217 gives the currency, as quotes keep it. Browsers omit the
 * decimals of some currencies, such as HUF, COP or IDR.
 */
export const moneyFormat =
  (language: Language): MoneyFormat =>
  (amount, currency) =>
    // A text is written exactly, digit by digit.
    formatIn(language, currency).format(amount as number);

/** How money is written for the reader. */
export const useMoney = (): MoneyFormat => moneyFormat(useLanguage());
