import { addAmounts, type Amount } from '@tenantry/money';

interface Counted {
  readonly amounts: readonly {
    readonly currency: string;
    readonly quotes: number;
    readonly totalAmount: Amount;
  }[];
}

/** The total in each currency: amounts of different currencies are not added up. */
export function amountsOf(
  counted: readonly Counted[],
): readonly (readonly [currency: string, amount: Amount])[] {
  const sums = new Map<string, Amount>();
  for (const { currency, totalAmount } of counted.flatMap(({ amounts }) => amounts)) {
    sums.set(currency, addAmounts([sums.get(currency) ?? 0, totalAmount]));
  }
  return [...sums].toSorted(([one], [other]) => one.localeCompare(other));
}
