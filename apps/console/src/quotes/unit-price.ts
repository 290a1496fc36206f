import { minorDigits } from '@tenantry/money';
import type { Language } from '../design/language.ts';

const decimalsMax = 4;

/** How the price of one is written: as exact as it is, with as many decimals as the currency has or more. */
export function unitPriceFormat(language: Language, currency: string): (amount: number) => string {
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: minorDigits(currency),
    maximumFractionDigits: decimalsMax,
  });
  return (amount) => format.format(amount);
}
