import { Exact } from './exact.ts';

/** An amount as JSON carries it exactly: a number of up to 15 digits, and a larger one as its decimal text. */
export type Amount = number | string;

const numberDigitsMax = 15;

/**
 * The amount that a decimal text names.
 *
 * @example amountOf('4399.85') // 4399.85
 * @example amountOf('998900099999002.11') // '998900099999002.11', which no JSON number is
 */
export function amountOf(text: string): Amount {
  return text.replaceAll(/\D/g, '').length <= numberDigitsMax ? Number(text) : text;
}

/**
 * Adds amounts exactly, however large.
 *
 * @throws {RangeError} for a text that is no decimal number.
 */
export function addAmounts(amounts: Iterable<Amount>): Amount {
  let sum = Exact.zero;
  for (const amount of amounts) sum = sum.plus(Exact.from(amount));
  return amountOf(sum.toFixed());
}
