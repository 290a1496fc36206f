import { minorDigits } from './currencies.ts';
import { Exact } from './exact.ts';

/** What a line charges for. */
export interface Line {
  /** Hours, square metres, pieces: at most four decimals. */
  readonly quantity: number;
  /** At most four decimals. */
  readonly unitPrice: number;
}

/** What a quote adds up to. */
export interface Totals {
  readonly subtotal: number;
  readonly vatAmount: number;
  readonly totalAmount: number;
}

/** How a quote is charged. */
export interface Terms {
  /** Percent, at most two decimals. */
  readonly vatRate: number;
  /** ISO 4217. */
  readonly currency: string;
}

/**
 * The price of a line: quantity × unit price, rounded once to the currency's minor unit, half away from zero.
 *
 * @example lineTotal({ quantity: 3, unitPrice: 33.335 }, 'SEK') // 100.01
 */
export function lineTotal({ quantity, unitPrice }: Line, currency: string): number {
  return Exact.from(quantity).times(Exact.from(unitPrice)).toDecimalPlaces(minorDigits(currency)).toNumber();
}

/**
 * Adds amounts, which are rounded already; a sum is never rounded. Subtract by adding a negative amount.
 *
 * @example sumOf([0.1, 0.2]) // 0.3
 */
export function sumOf(amounts: Iterable<number>): number {
  let sum = Exact.zero;
  for (const amount of amounts) sum = sum.plus(Exact.from(amount));
  return sum.toNumber();
}

/**
 * VAT and total of a quote. VAT is taken of the sum and rounded once, half away from zero (EN 16931, BR-CO-17).
 *
 * @example totalsOf(4414.87, { vatRate: 25, currency: 'SEK' }) // { …, vatAmount: 1103.72, totalAmount: 5518.59 }
 */
export function totalsOf(subtotal: number, { vatRate, currency }: Terms): Totals {
  const vatAmount = Exact.from(subtotal)
    .times(Exact.from(vatRate))
    .dividedBy(100)
    .toDecimalPlaces(minorDigits(currency))
    .toNumber();
  return { subtotal, vatAmount, totalAmount: sumOf([subtotal, vatAmount]) };
}

/** A quote as it is typed in: its packages and their lines. */
export interface QuoteInput extends Terms {
  readonly workPackages: readonly { readonly items: readonly Line[] }[];
}

/** A quote added up, its packages and lines in the order in which they came. */
export interface AddedUp extends Totals {
  readonly workPackages: readonly {
    readonly subtotal: number;
    readonly items: readonly { readonly totalPrice: number }[];
  }[];
}

/**
 * Adds a whole quote up, as the quotation API does.
 *
 * @example
 * addUp({ currency: 'SEK', vatRate: 25, workPackages: [{ items: [{ quantity: 2, unitPrice: 50 }] }] }).totalAmount // 125
 */
export function addUp({ workPackages, ...terms }: QuoteInput): AddedUp {
  const added = workPackages.map(({ items }) => {
    const lines = items.map((line) => ({ totalPrice: lineTotal(line, terms.currency) }));
    return { items: lines, subtotal: sumOf(lines.map(({ totalPrice }) => totalPrice)) };
  });
  const subtotal = sumOf(added.map((workPackage) => workPackage.subtotal));
  return { ...totalsOf(subtotal, terms), workPackages: added };
}
