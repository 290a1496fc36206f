import type { Quota } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** Something that limits have counted. They alone make one: what asks for one cannot be done uncounted. */
export class Counted {
  /** What is left. */
  readonly quota: Quota;
  readonly #takeBack: () => Promise<unknown>;

  constructor(quota: Quota, takeBack: () => Promise<unknown>) {
    this.quota = quota;
    this.#takeBack = takeBack;
  }

  /** Counts it no longer. Call it once; it never rejects. */
  async giveBack(): Promise<void> {
    await this.#takeBack();
  }
}

/** A limit, and for whom it counts. */
export interface Charge {
  readonly limiter: RateLimiter;
  readonly key: string;
}

/**
 * Counts by several limits; where one refuses, the others have counted nothing.
 *
 * @throws RATE_LIMITED (429) of the first that refuses
 */
export async function countBy(...charges: readonly Charge[]): Promise<Counted> {
  const counted: Counted[] = [];
  const takeBack = () => Promise.all(counted.map((one) => one.giveBack()));
  try {
    for (const { limiter, key } of charges) counted.push(await limiter.consume(key));
  } catch (error) {
    await takeBack();
    throw error;
  }
  return new Counted(
    counted.flatMap(({ quota }) => quota),
    takeBack,
  );
}
