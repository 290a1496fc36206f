export { addAmounts, amountOf, type Amount } from './amounts.ts';
export { isCurrency, isQuotable, minorDigits, quotableCurrencies, quotableMessage } from './currencies.ts';
export { limits } from './limits.ts';
export { addUp, lineTotal, sumOf, totalsOf } from './totals.ts';
export type { AddedUp, Line, Totals } from './totals.ts';
