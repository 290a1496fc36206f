import type { Language } from '../design/language.ts';

const decimalsMax = 4;

/** How the price of one is written: as exact as it is, with two decimals, or as many as the currency has. */
export function unitPriceFormat(language: Language, currency: string): (amount: number) => string {
  const money = new Intl.NumberFormat(language, { style: 'currency', currency }).resolvedOptions();
  const minimumFractionDigits = Math.max(2, money.minimumFractionDigits ?? 0);
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits,
    maximumFractionDigits: decimalsMax,
  });
  return (amount) => format.format(amount);
}
