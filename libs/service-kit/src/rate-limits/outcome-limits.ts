import { ApiError } from '@tenantry/envelope';
import { countAll, type Charge } from './charges.ts';
import type { Counted } from './counted.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** For whom work is counted: by each limit in turn; undefined for what is not known, which is not limited. */
type Keys = readonly (string | undefined)[];

/** By what work is counted, depending on its outcome; limits beside each other count by the same key. */
export interface OutcomeLimitsOptions {
  /** What has been done: what the limits protect. */
  readonly done: readonly RateLimiter[];
  /** What was refused: the bound of guessing. */
  readonly refused: readonly RateLimiter[];
}

/**
 * Limits work by what it comes to: as done, as refused (4xx), or as neither where the service or another limit stood in its
 * way. So refusals never use up what protects success.
 *
 * Both are counted in advance, so that parallel requests get past neither. Where that leaves too few refusals for those under
 * way, further ones wait for them instead of being refused for what may not happen.
 *
 * @example
 * const organizations = new OutcomeLimits({ done: [created], refused: [slugsTaken] });
 * await organizations.run([userId], () => create(wanted));
 */
export class OutcomeLimits {
  readonly #done: readonly RateLimiter[];
  readonly #refused: readonly RateLimiter[];
  readonly #underWay = new Map<string, Set<Promise<unknown>>>();

  constructor({ done, refused }: OutcomeLimitsOptions) {
    this.#done = done;
    this.#refused = refused;
  }

  /**
   * Does work within the limits.
   *
   * @param keys for whom it is counted: one for each limit
   * @throws RATE_LIMITED (429); what the work throws
   */
  async run<Result>(keys: Keys, work: (counted: Counted) => Promise<Result>): Promise<Result> {
    const done = await countAll(chargesOf(this.#done, keys));
    try {
      const { refused, leave } = await this.#enter(keys);
      return await outcomeOf(work(done), refused).finally(leave);
    } catch (error) {
      await done.giveBack();
      throw error;
    }
  }

  /** Counts as refused in advance, and stays under way until it leaves. */
  async #enter(keys: Keys): Promise<{ readonly refused: Counted; readonly leave: () => void }> {
    for (;;) {
      const leave = this.#stayUnderWay(keys);
      let asked: string | undefined;
      const limiters = this.#refused.map((limiter) => ({
        consume: (key: string) => limiter.consume((asked = key)),
      }));
      try {
        return { refused: await countAll(chargesOf(limiters, keys)), leave };
      } catch (error) {
        leave();
        const others = this.#underWay.get(asked ?? '');
        if (!others) throw error;
        await Promise.race(others);
      }
    }
  }

  #stayUnderWay(keys: Keys): () => void {
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const known = keys.filter((key) => key !== undefined);
    for (const key of known) {
      const others = this.#underWay.get(key) ?? new Set();
      this.#underWay.set(key, others.add(settled));
    }
    return () => {
      for (const key of known) {
        const others = this.#underWay.get(key);
        others?.delete(settled);
        if (others?.size === 0) this.#underWay.delete(key);
      }
      settle();
    };
  }
}

function chargesOf(limiters: readonly RateLimiter[], keys: Keys): Charge[] {
  return limiters.flatMap((limiter, index) => {
    const key = keys[index];
    return key === undefined ? [] : { limiter, key };
  });
}

/** Gives back what was counted as refused, unless that is what it came to. */
async function outcomeOf<Result>(work: Promise<Result>, refused: Counted): Promise<Result> {
  try {
    const result = await work;
    await refused.giveBack();
    return result;
  } catch (error) {
    if (!isRefusal(error)) await refused.giveBack();
    throw error;
  }
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { statusCode } = error;
  return statusCode >= 400 && statusCode < 500 && statusCode !== 429;
}
