import { ApiError } from '@tenantry/envelope';
import { FairShares, NoShareError, type Share } from '@tenantry/fair-shares';
import { countAll, type Charge } from './charges.ts';
import type { Counted } from './rate-limit.ts';
import type { CountedLimiter, RateLimiter } from './rate-limiter.ts';

/** The keys by which work is counted, one for each limit in turn; an undefined key is not limited. */
type Keys = readonly (string | undefined)[];

/** The limits for each outcome of work; limits at the same position count by the same key. */
export interface OutcomeLimitsOptions {
  /** Limits of completed work. */
  readonly done: readonly RateLimiter[];
  /** Limits of refused work, against guessing. */
  readonly refused: readonly CountedLimiter[];
  /** Whether a failure counts as refused; default: 4xx, except what another limit refuses. */
  readonly isRefusal?: (error: unknown) => boolean;
  /** Maximum waiting for others in progress, by key; default: 128. */
  readonly waitingMax?: number;
  /** Maximum wait for them; default: 8 s. */
  readonly waitMsMax?: number;
}

/**
 * Limits work by its outcome: as done, as refused (4xx), or as neither if the service or another limit prevented it. So
 * refusals never use up the limit of successes.
 *
 * Both are counted in advance, so that parallel requests exceed neither, and given back. Half as much work as may be refused is in
 * progress for one key at once, and the rest takes its turn: while fewer than half of the refusals are used up, nobody is refused
 * for those that others in progress might come to.
 *
 * @example
 * const organizations = new OutcomeLimits({ done: [created], refused: [slugsTaken] });
 * await organizations.run([userId], () => create(wanted));
 */
export class OutcomeLimits {
  readonly #done: readonly RateLimiter[];
  readonly #refused: readonly CountedLimiter[];
  readonly #isRefusal: (error: unknown) => boolean;
  readonly #turns: FairShares;

  constructor(options: OutcomeLimitsOptions) {
    const { done, refused, isRefusal = isOwnRefusal, waitingMax = 128, waitMsMax = 8_000 } = options;
    this.#done = done;
    this.#refused = refused;
    this.#isRefusal = isRefusal;
    this.#turns = new FairShares({
      name: 'limits-by-outcome',
      runningMax: Infinity,
      runningPerSharerMax: Math.max(1, Math.floor((refused[0]?.window.max ?? 0) / 2)),
      waitingMax: Infinity,
      waitingPerSharerMax: waitingMax,
      waitMsMax,
    });
  }

  /**
   * Runs work within the limits.
   *
   * @param keys for whom it is counted: one for each limit
   * @throws RATE_LIMITED (429); what the work throws
   */
  async run<Result>(keys: Keys, work: (counted: Counted) => Promise<Result>): Promise<Result> {
    const done = await countAll(chargesOf(this.#done, keys));
    try {
      const turn = await this.#takeTurn(keys);
      try {
        return await this.#attempt(keys, () => work(done));
      } finally {
        turn?.giveBack();
      }
    } catch (error) {
      await done.giveBack();
      throw error;
    }
  }

  /** By the first key whose refusals are limited. */
  async #takeTurn(keys: Keys): Promise<Share | undefined> {
    const [first] = chargesOf(this.#refused, keys);
    if (!first) return undefined;
    const { limiter, key } = first;
    try {
      return await this.#turns.take([key]);
    } catch (error) {
      // It need not wait for the end of a window: who is in progress leaves room within seconds.
      throw error instanceof NoShareError ? limiter.refusal(key, 1) : error;
    }
  }

  /** Counts work as refused, and undoes the count unless it was. */
  async #attempt<Result>(keys: Keys, work: () => Promise<Result>): Promise<Result> {
    const refused = await countAll(chargesOf(this.#refused, keys));
    try {
      const result = await work();
      await refused.giveBack();
      return result;
    } catch (error) {
      if (!this.#isRefusal(error)) await refused.giveBack();
      throw error;
    }
  }
}

function chargesOf<Limiter extends RateLimiter>(
  limiters: readonly Limiter[],
  keys: Keys,
): (Charge & { readonly limiter: Limiter })[] {
  return limiters.flatMap((limiter, index) => {
    const key = keys[index];
    return key === undefined ? [] : { limiter, key };
  });
}

/** Whether the service or a limit refused, as opposed to being unable to respond. */
export function isAnyRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.statusCode >= 400 && error.statusCode < 500;
}

const isOwnRefusal = (error: unknown): boolean =>
  isAnyRefusal(error) && !(error instanceof ApiError && error.statusCode === 429);
