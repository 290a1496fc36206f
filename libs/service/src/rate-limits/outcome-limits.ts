import { ApiError } from '@tenantry/envelope';
import { withinMs } from '../calls/within-ms.ts';
import { countAll, type Charge } from './charges.ts';
import type { Counted } from './rate-limit.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The keys by which work is counted, one for each limit in turn; an undefined key is not limited. */
type Keys = readonly (string | undefined)[];

/** The limits for each outcome of work; limits at the same position count by the same key. */
export interface OutcomeLimitsOptions {
  /** Limits of completed work. */
  readonly done: readonly RateLimiter[];
  /** Limits of refused work, against guessing. */
  readonly refused: readonly RateLimiter[];
  /** Whether a failure counts as refused; default: 4xx, except what another limit refuses. */
  readonly isRefusal?: (error: unknown) => boolean;
  /** Maximum waiting for others in progress, by key; default: 128. */
  readonly waitingMax?: number;
  /** Maximum wait for them; default: 8 s. */
  readonly waitMsMax?: number;
  /** A monotonic clock, in milliseconds; by default the process's. */
  readonly now?: () => number;
}

/**
 * Limits work by its outcome: as done, as refused (4xx), or as neither if the service or another limit prevented it. So
 * refusals never use up the limit of successes.
 *
 * Both are counted in advance, so that parallel requests exceed neither. If that leaves too few refusals for work in progress,
 * further work waits for it instead of being refused for refusals that may not happen. The number and the time of waiting are
 * bounded, since waiting work has been counted as done.
 *
 * @example
 * const organizations = new OutcomeLimits({ done: [created], refused: [slugsTaken] });
 * await organizations.run([userId], () => create(wanted));
 */
export class OutcomeLimits {
  readonly #done: readonly RateLimiter[];
  readonly #refused: readonly RateLimiter[];
  readonly #isRefusal: (error: unknown) => boolean;
  readonly #waitingMax: number;
  readonly #waitMsMax: number;
  readonly #now: () => number;
  readonly #counting = new Ongoing();
  readonly #underWay = new Ongoing();
  readonly #waiting = new Ongoing();
  /** How many were in progress and have finished. */
  #left = 0;

  constructor(options: OutcomeLimitsOptions) {
    const { done, refused, isRefusal = isOwnRefusal, waitingMax = 128, waitMsMax = 8_000 } = options;
    this.#done = done;
    this.#refused = refused;
    this.#isRefusal = isRefusal;
    this.#waitingMax = waitingMax;
    this.#waitMsMax = waitMsMax;
    this.#now = options.now ?? (() => performance.now());
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
      const { refused, leave } = await this.#enter(keys);
      return await this.#outcomeOf(work(done), refused).finally(leave);
    } catch (error) {
      await done.giveBack();
      throw error;
    }
  }

  /** Counts work as refused in advance; it stays in progress until it finishes. */
  async #enter(keys: Keys): Promise<Entered> {
    let line: Line | undefined;
    try {
      for (;;) {
        const leftBefore = this.#left;
        const entry = await this.#countRefused(keys);
        if (!('refusal' in entry)) return entry;
        line ??= this.#lineUp(entry.refusedKey);
        if (!line || !(await this.#oneLeft(entry.refusedKey, leftBefore, line))) throw entry.refusal;
      }
    } finally {
      line?.leave();
    }
  }

  async #countRefused(keys: Keys): Promise<Entered | Refused> {
    const isDecided = this.#counting.add(keys);
    let asked = '';
    const limiters = this.#refused.map((limiter) => ({
      consume: (key: string) => limiter.consume((asked = key)),
    }));
    try {
      const refused = await countAll(chargesOf(limiters, keys));
      return { refused, leave: this.#stayUnderWay(keys) };
    } catch (refusal) {
      return { refusal, refusedKey: asked };
    } finally {
      isDecided();
    }
  }

  /** Undefined if the maximum is waiting. */
  #lineUp(key: string): Line | undefined {
    if (this.#waiting.count(key) >= this.#waitingMax) return undefined;
    return { endsAtMs: this.#now() + this.#waitMsMax, leave: this.#waiting.add([key]) };
  }

  #stayUnderWay(keys: Keys): () => void {
    const isOver = this.#underWay.add(keys);
    return () => {
      this.#left += 1;
      isOver();
    };
  }

  /**
   * Waits until work in progress has finished. The limit is not checked before: waiting work would wake itself forever.
   *
   * @returns false if none was in progress, or none finished in time
   */
  async #oneLeft(key: string, leftBefore: number, { endsAtMs }: Line): Promise<boolean> {
    while (this.#left === leftBefore) {
      const others = this.#underWay.count(key) > 0 ? this.#underWay : this.#counting;
      const waitMs = endsAtMs - this.#now();
      if (others.count(key) === 0 || waitMs <= 0) return false;
      await others.next(key, waitMs);
    }
    return true;
  }

  /** Undoes the count as refused, unless the work was refused. */
  async #outcomeOf<Result>(work: Promise<Result>, refused: Counted): Promise<Result> {
    try {
      const result = await work;
      await refused.giveBack();
      return result;
    } catch (error) {
      if (!this.#isRefusal(error)) await refused.giveBack();
      throw error;
    }
  }
}

/** Counted as refused in advance. */
interface Entered {
  readonly refused: Counted;
  readonly leave: () => void;
}

/** The key by which a limit refused. */
interface Refused {
  readonly refusal: unknown;
  readonly refusedKey: string;
}

/** A place among the waiting. */
interface Line {
  readonly endsAtMs: number;
  readonly leave: () => void;
}

/** Work that is running, by each of its keys. */
class Ongoing {
  readonly #byKey = new Map<string, Set<Promise<void>>>();

  /** @returns a function that marks the end; it may be called twice */
  add(keys: Keys): () => void {
    let settle = (): void => undefined;
    const settled = new Promise<void>((resolve) => (settle = resolve));
    const known = keys.filter((key) => key !== undefined);
    for (const key of known) {
      const others = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, others.add(settled));
    }
    return () => {
      for (const key of known) {
        const others = this.#byKey.get(key);
        others?.delete(settled);
        if (others?.size === 0) this.#byKey.delete(key);
      }
      settle();
    };
  }

  count(key: string): number {
    return this.#byKey.get(key)?.size ?? 0;
  }

  /** Waits until one of them has ended, or until the timeout. */
  async next(key: string, waitMs: number): Promise<void> {
    const others = this.#byKey.get(key);
    if (others) await withinMs(waitMs, Promise.race(others), () => undefined);
  }
}

function chargesOf(limiters: readonly RateLimiter[], keys: Keys): Charge[] {
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
