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

/** Whether counts by week are worth a picture: something happened in two weeks at least. */
export const makesChart = (weeks: readonly (readonly number[])[]): boolean =>
  weeks.filter((counts) => counts.some((count) => count > 0)).length > 1;
