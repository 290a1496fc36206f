import { AsyncLocalStorage } from 'node:async_hooks';
import { inTrace } from '@tenantry/tracing';
import { withinMs } from '../calls/within-ms.ts';
import { isUnavailable } from '../failures/database-faults.ts';
import type { Measurement } from '../metrics/measurement.ts';
import { BacklogWatch, WorkCounts, type Backlog } from './work-metrics.ts';

/** The part of a pino logger that is used. */
export interface WorkerLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** One piece of work that an instance has claimed. */
export interface Claimed {
  readonly id: string;
  /** This attempt included. */
  readonly attempts: number;
}

/** A worker's request to its queue. */
export interface Claim<Item> {
  /** The work that is already running. */
  readonly inHand: readonly Item[];
  readonly leaseSeconds: number;
}

/** The queue of a worker. */
export interface Queue<Item extends Claimed> {
  /**
   * Claims the next due job, if there is one. No other instance gets it before the lease has expired, and each attempt doubles
   * the lease: an instance that dies loses nothing, and work that keeps failing is tried less and less often.
   */
  claim(claim: Claim<Item>): Promise<Item | undefined>;
  /** Retries failed work after a while; without it, work is retried when the lease has expired. */
  retry?(item: Item, afterSeconds: number): Promise<void>;
  /** Records that an attempt timed out although the process is alive; its lease continues. */
  answered?(item: Item): Promise<void>;
  /** Removes work after its last attempt. */
  giveUp(item: Item): Promise<void>;
  /** The backlog, for metrics; called every ten seconds. */
  readonly backlog?: () => Promise<readonly Backlog[]>;
}

/** The kinds of work that are counted separately. */
export interface WorkKinds<Item> {
  readonly names: readonly string[];
  readonly of: (item: Item) => string;
}

/** Options of {@link Worker}. */
export interface WorkerOptions<Item extends Claimed> {
  /** Its name in the log: `mail`. */
  readonly name: string;
  readonly queue: Queue<Item>;
  /** Does one piece and removes it from the queue. The signal fires when it times out; if it throws it is retried. */
  readonly work: (item: Item, signal: AbortSignal) => Promise<void>;
  readonly logger: WorkerLogger;
  /** Default: a single kind with the worker's name. */
  readonly kinds?: WorkKinds<Item>;
  /** Maximum running pieces; default 4. */
  readonly concurrency?: number;
  /** How long one piece may take; default 20 s. */
  readonly timeoutSeconds?: number;
  /** How long a first attempt is leased for, longer than it may take; default 30 s. */
  readonly leaseSeconds?: number;
  /** Delay after a failed attempt, doubled each time up to two hours; default 10 s. */
  readonly retrySeconds?: number;
  /** Default 24: with the default of `retrySeconds`, a little more than a day. */
  readonly attemptsMax?: number;
  /** Polling interval, besides being woken; default 1 s. */
  readonly pollSeconds?: number;
}

const retrySecondsMax = 2 * 60 * 60;

/** The defaults of {@link WorkerOptions}. */
function withDefaults<Item extends Claimed>(options: WorkerOptions<Item>): Required<WorkerOptions<Item>> {
  const { name, leaseSeconds = 30 } = options;
  return {
    kinds: { names: [name], of: () => name },
    concurrency: 4,
    leaseSeconds,
    timeoutSeconds: Math.min(20, leaseSeconds * 0.75),
    retrySeconds: 10,
    attemptsMax: 24,
    pollSeconds: 1,
    ...options,
  };
}

/**
 * Does work in the background: at least once, alongside the workers of other instances. It claims only what it can start
 * immediately, and abandons a job before its lease expires, so that no two instances work on it.
 *
 * @throws {RangeError} when the lease is not longer than the work may take.
 * @example
 * const worker = new Worker({ name: 'mail', queue, work: ({ id }, signal) => send(id, signal), logger });
 */
export class Worker<Item extends Claimed = Claimed> {
  /** Counts of its attempts, and its backlog. */
  readonly measurements: readonly Measurement[];
  readonly #options: Required<WorkerOptions<Item>>;
  readonly #counts: WorkCounts;
  readonly #backlog: BacklogWatch | undefined;
  readonly #inHand = new Map<Promise<void>, Item>();
  /** Outcomes that could not be reported, because the queue was down. */
  readonly #owed: (() => Promise<void>)[] = [];
  /** Runs outside of the context of the caller that wakes it, which may be in a transaction. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #looking: Promise<void> | undefined;
  #again = false;
  #closed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: WorkerOptions<Item>) {
    this.#options = withDefaults(options);
    const { leaseSeconds, timeoutSeconds, kinds } = this.#options;
    if (leaseSeconds <= timeoutSeconds)
      throw new RangeError('A lease has to be longer than the work may take.');
    this.#counts = new WorkCounts(kinds.names);
    this.#backlog = backlogOf(options);
    this.measurements = [...this.#counts.measurements, ...(this.#backlog?.measurements ?? [])];
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), this.#options.pollSeconds * 1_000).unref();
    this.wake();
    this.#backlog?.start();
  }

  /** Looks for work now. Call it when some was committed; from anywhere, also within a transaction. */
  wake(): void {
    this.#again = true;
    if (this.#closed || this.#looking) return;
    this.#looking = this.#outside(() =>
      this.#lookWhileWoken().finally(() => {
        this.#looking = undefined;
        if (this.#again) this.wake();
      }),
    );
  }

  /** Claims nothing more, and resolves when the running work is done or has timed out. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#backlog?.close();
    await this.#looking;
    await Promise.all(this.#inHand.keys());
  }

  async #lookWhileWoken(): Promise<void> {
    const { name, logger } = this.#options;
    while (this.#again && !this.#closed) {
      this.#again = false;
      await this.#look().catch((error: unknown) => logger.warn({ err: error }, `${name}: the queue is away`));
    }
  }

  /** Claims until nothing more is due. */
  async #look(): Promise<void> {
    const { queue, concurrency, leaseSeconds } = this.#options;
    for (const report of this.#owed.splice(0)) await report();
    while (!this.#closed) {
      if (this.#inHand.size >= concurrency) {
        await Promise.race(this.#inHand.keys());
        continue;
      }
      const item = await queue.claim({ inHand: [...this.#inHand.values()], leaseSeconds });
      if (!item) return;
      this.#take(item);
    }
  }

  #take(item: Item): void {
    const taken = this.#attempt(item).finally(() => {
      this.#inHand.delete(taken);
      // Work that was skipped for the sake of others may start now.
      this.wake();
    });
    this.#inHand.set(taken, item);
  }

  async #attempt(item: Item): Promise<void> {
    const { name, logger, kinds, timeoutSeconds, work } = this.#options;
    const { id, attempts } = item;
    const late = { is: false };
    try {
      await withinSeconds(timeoutSeconds, (signal) => {
        signal.addEventListener('abort', () => (late.is = true));
        return inTrace(name, () => work(item, signal));
      });
      this.#counts.count(kinds.of(item), 'done');
    } catch (error) {
      this.#counts.count(kinds.of(item), 'failed');
      logger.warn({ [name]: id, attempts, err: error }, `${name}: an attempt failed`);
      await this.#report(item, () => this.#reportFailure(item, late.is));
    }
  }

  async #reportFailure(item: Item, isLate: boolean): Promise<void> {
    const { name, queue, logger, kinds, attemptsMax, retrySeconds } = this.#options;
    const { id, attempts } = item;
    if (attempts >= attemptsMax) {
      await queue.giveUp(item);
      this.#counts.count(kinds.of(item), 'given_up');
      logger.error({ [name]: id, attempts }, `${name}: given up`);
    } else if (isLate) {
      // Work that timed out may still be running, so it keeps its lease.
      await queue.answered?.(item);
    } else {
      await queue.retry?.(item, Math.min(retrySeconds * 2 ** (attempts - 1), retrySecondsMax));
    }
  }

  /**
   * Reports an attempt's outcome to the queue, now or when it is up again: without a report the attempt looks as if its process
   * had died.
   */
  async #report(item: Item, report: () => Promise<void>): Promise<void> {
    const { name, logger } = this.#options;
    try {
      await report();
    } catch (error) {
      logger.warn({ [name]: item.id, err: error }, `${name}: the queue is away`);
      if (isUnavailable(error)) this.#owed.push(() => this.#report(item, report));
    }
  }
}

function backlogOf<Item extends Claimed>({
  name,
  queue,
  logger,
}: WorkerOptions<Item>): BacklogWatch | undefined {
  const { backlog } = queue;
  if (!backlog) return undefined;
  const onFailure = (error: unknown) => logger.warn({ err: error }, `${name}: how much waits is not known`);
  return new BacklogWatch({ read: backlog, onFailure });
}

/** Runs work, and rejects once it times out, whether or not it observes the signal. */
async function withinSeconds(seconds: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const ending = new AbortController();
  await withinMs(seconds * 1_000, work(ending.signal), () => {
    const error = new Error(`The work took longer than ${seconds} s.`);
    ending.abort(error);
    throw error;
  });
}
