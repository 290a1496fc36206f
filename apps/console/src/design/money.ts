import { minorDigits } from '@tenantry/money';
import { locales, useLanguage, type Language } from './language.ts';

/** Writes an amount with its currency: `SEK 1,234.50`. */
export type MoneyFormat = (amount: number, currency: string) => string;

/** Making one takes longer than using it. */
const made = new Map<string, Intl.NumberFormat>();

/**
 * How money is written in a language, in as many decimals as ISO 4217 gives the currency, as quotes keep it. Browsers leave the
 * decimals of some currencies out, which hardly anybody pays in cash: of HUF, COP or IDR.
 */
export const moneyFormat =
  (language: Language): MoneyFormat =>
  (amount, currency) => {
    const key = `${language} ${currency}`;
    const format = made.get(key) ?? formatIn(currency, language);
    made.set(key, format);
    return format.format(amount);
  };

function formatIn(currency: string, language: Language): Intl.NumberFormat {
  const digits = minorDigits(currency);
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency, ...exactly });
}

/** How money is written for the reader. */
export const useMoney = (): MoneyFormat => moneyFormat(useLanguage());
