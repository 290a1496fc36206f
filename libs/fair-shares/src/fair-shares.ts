import { NoShareError, type NoShareReason } from './no-share-error.ts';
import type { Sharer } from './sharer.ts';
import { Turns, type Place } from './turns.ts';

/** What is shared, and how much of it there is. */
export interface FairSharesOptions {
  /** What is shared, for measurements and the log: `password-hashing`. */
  readonly name: string;
  /** Shares in use at once. */
  readonly runningMax: number;
  /** Of those, the maximum for one sharer, current if it is a function; default: all of them while no other sharer asks. */
  readonly runningPerSharerMax?: number | (() => number);
  /** Of those, the maximum for one second key within a sharer; default: all of them. */
  readonly runningPerMemberMax?: number;
  /**
   * Of the shares that are free, the part that one sharer may have running; default: no such limit. With 1/8 a sharer that is
   * alone has a ninth of all, and the next one an eighth of the rest: however long work runs, a newcomer finds a free share.
   * One of the second key has two thirds of what its sharer may have.
   */
  readonly partOfFreeMax?: number;
  /** Maximum waiting jobs. When the queue is full, the sharer with the most waiting jobs loses one. */
  readonly waitingMax: number;
  /** Maximum waiting jobs of one sharer; default: all of them while no one else asks. */
  readonly waitingPerSharerMax?: number;
  /** How long work waits before it is refused as `late`; default: as long as its signal allows. */
  readonly waitMsMax?: number;
}

/** A share in use. */
export interface Share {
  /** Gives the share back; further calls change nothing. */
  giveBack(): void;
}

/** Counts since the instance was created. */
export interface ShareCounts {
  readonly running: number;
  readonly waiting: number;
  readonly refused: Readonly<Record<NoShareReason, number>>;
  /** Jobs that waited for their share, and their total waiting time in seconds. */
  readonly waited: { readonly count: number; readonly sum: number };
}

interface Waiting {
  readonly start: (place: Place<Waiting>) => void;
  readonly refuse: (error: Error) => void;
}

/**
 * Shares a bounded resource in turn: however much one sharer asks for, the next to be served is another one.
 *
 * @example
 * const hashing = new FairShares({ name: 'password-hashing', runningMax: 2, waitingMax: 64 });
 * await hashing.run(sharerOf({ organizationId }), () => bcrypt.hash(password, 12));
 */
export class FairShares {
  readonly name: string;
  readonly #options: Required<Omit<FairSharesOptions, 'name'>>;
  readonly #turns: Turns<Waiting>;
  readonly #refused = { full: 0, late: 0 };
  readonly #waited = { count: 0, sum: 0 };

  constructor({ name, ...options }: FairSharesOptions) {
    const { runningMax, waitingMax } = options;
    this.name = name;
    this.#options = {
      runningPerSharerMax: runningMax,
      runningPerMemberMax: Infinity,
      partOfFreeMax: Infinity,
      waitingPerSharerMax: waitingMax,
      waitMsMax: Infinity,
      ...options,
    };
    const { runningPerSharerMax: ofSharer } = this.#options;
    const runningPerSharerMax = typeof ofSharer === 'number' ? () => ofSharer : ofSharer;
    this.#turns = new Turns({ ...this.#options, runningPerSharerMax });
  }

  /**
   * Runs work when its turn comes. The share is in use until the work has settled.
   *
   * @throws {NoShareError} when its turn does not come, as {@link take} says
   */
  async run<Result>(
    sharer: Sharer,
    work: () => Promise<Result>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<Result> {
    const share = await this.take(sharer, options);
    try {
      return await work();
    } finally {
      share.giveBack();
    }
  }

  /**
   * Takes a share, in turn. Give it back when the work is done, also if it failed.
   *
   * @param signal ends the wait, which then rejects with the signal's reason
   * @throws {NoShareError} `full` if the queue is full and this sharer has the most waiting jobs, or if the job lost its place
   * to another sharer; `late` if its turn did not come in time
   */
  async take(sharer: Sharer, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Share> {
    signal?.throwIfAborted();
    return this.takeNow(sharer) ?? this.#shareAt(await this.#wait(sharer, signal), 1);
  }

  /**
   * A share if one is free for this sharer now.
   *
   * @param size its size in units of the resource, such as bytes of memory; default: 1
   */
  takeNow(sharer: Sharer, { size = 1 }: { readonly size?: number } = {}): Share | undefined {
    const place = this.#turns.startNow(sharer, size);
    return place && this.#shareAt(place, size);
  }

  /** Free shares. */
  get free(): number {
    return this.#options.runningMax - this.#turns.running;
  }

  get counts(): ShareCounts {
    const { running, waiting } = this.#turns;
    return { running, waiting, refused: { ...this.#refused }, waited: { ...this.#waited } };
  }

  #shareAt(place: Place<Waiting>, size: number): Share {
    let isBack = false;
    return {
      giveBack: () => {
        if (isBack) return;
        isBack = true;
        this.#turns.end(place, size);
        this.#startNext();
      },
    };
  }

  /** Several jobs may start together: one that ends can let another of its sharer start, and a free share the next one. */
  #startNext(): void {
    for (let next = this.#turns.next(); next; next = this.#turns.next()) next.job.start(next.place);
  }

  async #wait(sharer: Sharer, signal: AbortSignal | undefined): Promise<Place<Waiting>> {
    this.#makeRoom(sharer);
    const since = performance.now();
    const started = await new Promise<Place<Waiting>>((resolve, reject) => {
      const stopWatching = this.#watch(signal, (error) => waiting.refuse(error));
      const waiting: Waiting = {
        start: (started) => {
          stopWatching();
          resolve(started);
        },
        refuse: (error) => {
          stopWatching();
          this.#turns.leave(place, waiting);
          reject(error);
        },
      };
      const place = this.#turns.wait(sharer, waiting);
    });
    this.#waited.count += 1;
    this.#waited.sum += (performance.now() - since) / 1_000;
    return started;
  }

  /** Ends a wait on its signal or timeout. @returns a function that stops watching */
  #watch(signal: AbortSignal | undefined, refuse: (error: Error) => void): () => void {
    const { waitMsMax } = this.#options;
    const abort = (): void => refuse(signal?.reason as Error);
    signal?.addEventListener('abort', abort);
    const timer =
      waitMsMax < Infinity ? setTimeout(() => refuse(this.#refusal('late')), waitMsMax) : undefined;
    return () => {
      signal?.removeEventListener('abort', abort);
      clearTimeout(timer);
    };
  }

  #makeRoom(sharer: Sharer): void {
    const { waitingMax, waitingPerSharerMax } = this.#options;
    if (this.#turns.waitingOf(sharer) >= waitingPerSharerMax) this.#evict(sharer, 'sharer');
    else if (this.#turns.waiting >= waitingMax) this.#evict(sharer, 'all');
  }

  #evict(sharer: Sharer, within: 'all' | 'sharer'): void {
    const evicted = this.#turns.evicted(sharer, { within });
    if (!evicted) throw this.#refusal('full');
    evicted.refuse(this.#refusal('full'));
  }

  #refusal(reason: NoShareReason): NoShareError {
    this.#refused[reason] += 1;
    return new NoShareError(this.name, reason);
  }
}
