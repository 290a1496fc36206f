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
  /** Whether a failure counts as refused; default: 4xx, except what another limit refuses. */
  readonly isRefusal?: (error: unknown) => boolean;
  /** How many may wait for others under way, by key; default: 128. */
  readonly waitingMax?: number;
  /** How long one waits for them; default: 8 s. */
  readonly waitMsMax?: number;
}

/**
 * Limits work by what it comes to: as done, as refused (4xx), or as neither where the service or another limit stood in its
 * way. So refusals never use up what protects success.
 *
 * Both are counted in advance, so that parallel requests get past neither. Where that leaves too few refusals for those under
 * way, further ones wait for them instead of being refused for what may not happen. No more wait than may, and none for longer
 * than somebody waits for its answer: what waits holds what it was counted as done.
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
  readonly #counting = new Ongoing();
  readonly #underWay = new Ongoing();
  readonly #waiting = new Ongoing();
  /** How many have left that were under way. */
  #left = 0;

  constructor(options: OutcomeLimitsOptions) {
    const { done, refused, isRefusal = isOwnRefusal, waitingMax = 128, waitMsMax = 8_000 } = options;
    this.#done = done;
    this.#refused = refused;
    this.#isRefusal = isRefusal;
    this.#waitingMax = waitingMax;
    this.#waitMsMax = waitMsMax;
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
      return await this.#outcomeOf(work(done), refused).finally(leave);
    } catch (error) {
      await done.giveBack();
      throw error;
    }
  }

  /** Counts as refused in advance, and stays under way until it leaves. */
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

  /** Undefined where as many wait as may. */
  #lineUp(key: string): Line | undefined {
    if (this.#waiting.count(key) >= this.#waitingMax) return undefined;
    return { endsAtMs: performance.now() + this.#waitMsMax, leave: this.#waiting.add([key]) };
  }

  #stayUnderWay(keys: Keys): () => void {
    const isOver = this.#underWay.add(keys);
    return () => {
      this.#left += 1;
      isOver();
    };
  }

  /**
   * Waits until one has left that was under way. The limit is not asked before: those who wait would wake each other forever.
   *
   * @returns false where nobody was, or none left in time
   */
  async #oneLeft(key: string, leftBefore: number, { endsAtMs }: Line): Promise<boolean> {
    while (this.#left === leftBefore) {
      const others = this.#underWay.count(key) > 0 ? this.#underWay : this.#counting;
      const waitMs = endsAtMs - performance.now();
      if (others.count(key) === 0 || waitMs <= 0) return false;
      await others.next(key, waitMs);
    }
    return true;
  }

  /** Gives back what was counted as refused, unless that is what it came to. */
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

/** By which key a limit refused. */
interface Refused {
  readonly refusal: unknown;
  readonly refusedKey: string;
}

/** A place among those who wait. */
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

  /** Waits until one of them has ended, or for as long as it may. */
  async next(key: string, waitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMs)));
    await Promise.race([...(this.#byKey.get(key) ?? []), late]);
    clearTimeout(timer);
  }
}

function chargesOf(limiters: readonly RateLimiter[], keys: Keys): Charge[] {
  return limiters.flatMap((limiter, index) => {
    const key = keys[index];
    return key === undefined ? [] : { limiter, key };
  });
}

/** Whether the service or a limit said no, as opposed to being unable to answer. */
export function isAnyRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.statusCode >= 400 && error.statusCode < 500;
}

const isOwnRefusal = (error: unknown): boolean =>
  isAnyRefusal(error) && !(error instanceof ApiError && error.statusCode === 429);
