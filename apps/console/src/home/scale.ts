/** A share of a whole, 0 to 1; of nothing there is none. */
export const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/**
 * The height of a bar of 0 to 1 beside others: the highest one is 1, and whatever is more than nothing can be seen.
 *
 * @param max the highest value of all
 */
export function heightOf(value: number, max: number): number {
  const leastSeen = 0.06;
  return value > 0 ? Math.max(leastSeen, shareOf(value, max)) : 0;
}

/** A state that things are in, and what they are worth in one currency. */
export interface Worth<Status extends string> {
  readonly status: Status;
  readonly quotes: number;
  readonly totalAmount: number;
}

interface Counted<Status extends string> {
  readonly status: Status;
  readonly amounts: readonly {
    readonly currency: string;
    readonly quotes: number;
    readonly totalAmount: number;
  }[];
}

/** What there is in each currency, all in all: amounts of two currencies have no sum. */
export function amountsOf(
  counted: readonly Pick<Counted<string>, 'amounts'>[],
): readonly (readonly [currency: string, amount: number])[] {
  const sums = new Map<string, number>();
  for (const { currency, totalAmount } of counted.flatMap(({ amounts }) => amounts)) {
    sums.set(currency, (sums.get(currency) ?? 0) + totalAmount);
  }
  return [...sums].toSorted(([one], [other]) => one.localeCompare(other));
}

/** What there is in each currency, in every state: amounts of two currencies have no sum. */
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
