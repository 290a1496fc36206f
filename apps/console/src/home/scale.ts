import { addAmounts, type Amount } from '@tenantry/money';

/** A share of a whole, 0 to 1; 0 if the whole is 0. */
export const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/**
 * The relative height of a bar, 0 to 1: the highest one is 1, and any positive value is visible.
 *
 * @param max the highest value of all
 */
export function heightOf(value: number, max: number): number {
  const leastSeen = 0.06;
  return value > 0 ? Math.max(leastSeen, shareOf(value, max)) : 0;
}

/** A state, and the value of its items in one currency. */
export interface Worth<Status extends string> {
  readonly status: Status;
  readonly quotes: number;
  readonly totalAmount: Amount;
}

interface Counted<Status extends string> {
  readonly status: Status;
  readonly amounts: readonly {
    readonly currency: string;
    readonly quotes: number;
    readonly totalAmount: Amount;
  }[];
}

/** The total in each currency: amounts of different currencies are not added up. */
export function amountsOf(
  counted: readonly Pick<Counted<string>, 'amounts'>[],
): readonly (readonly [currency: string, amount: Amount])[] {
  const sums = new Map<string, Amount>();
  for (const { currency, totalAmount } of counted.flatMap(({ amounts }) => amounts)) {
    sums.set(currency, addAmounts([sums.get(currency) ?? 0, totalAmount]));
  }
  return [...sums].toSorted(([one], [other]) => one.localeCompare(other));
}

/** The total of each state in each currency: amounts of different currencies are not added up. */
export function byCurrency<Status extends string>(
  statuses: readonly Counted<Status>[],
): readonly (readonly [currency: string, worths: readonly Worth<Status>[]])[] {
  const currencies = new Set(statuses.flatMap(({ amounts }) => amounts.map(({ currency }) => currency)));
  return [...currencies].toSorted().map((currency) => [
    currency,
    statuses.map(({ status, amounts }) => {
      const { quotes = 0, totalAmount = 0 } = amounts.find((each) => each.currency === currency) ?? {};
      return { status, quotes, totalAmount };
    }),
  ]);
}
