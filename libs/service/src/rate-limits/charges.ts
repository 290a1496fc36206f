import { Counted } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A limit, and the key to count. */
export interface Charge {
  readonly limiter: RateLimiter;
  readonly key: string;
  /** How often it counts, by default once. */
  readonly cost?: number;
}

/**
 * Counts by several limits; if one refuses, the others count nothing.
 *
 * @throws RATE_LIMITED (429) of the first that refuses
 */
export function countBy(first: Charge, ...others: readonly Charge[]): Promise<Counted> {
  return countAll([first, ...others]);
}

/** Like {@link countBy}, for a list of limits. */
export async function countAll(charges: readonly Charge[]): Promise<Counted> {
  const counted: Counted[] = [];
  const takeBack = () => Promise.all(counted.map((one) => one.giveBack()));
  try {
    for (const { limiter, key, cost } of charges) counted.push(await limiter.consume(key, cost));
  } catch (error) {
    await takeBack();
    throw error;
  }
  return new Counted(
    counted.flatMap(({ quota }) => quota),
    takeBack,
  );
}
