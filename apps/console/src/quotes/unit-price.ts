import { minorDigits } from '@tenantry/money';
import type { Language } from '../design/language.ts';
import { madeOnce } from '../design/made-once.ts';

const decimalsMax = 4;

/** How the price of one is written: as exact as it is, with as many decimals as the currency has or more. */
export const unitPriceFormat = madeOnce((language: Language, currency: string) => {
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: minorDigits(currency),
    maximumFractionDigits: decimalsMax,
  });
  return (amount: number): string => format.format(amount);
});
