import type { Measurement, Reading } from '../metrics/measurement.ts';

/** The outcome of an attempt; `given_up` counts work whose last attempt failed. */
export type WorkOutcome = 'done' | 'failed' | 'given_up';

/** Counts attempts at work of the given kinds. */
export class WorkCounts {
  readonly measurements: readonly Measurement[];
  readonly #counts: ReadonlyMap<string, Record<WorkOutcome, number>>;

  constructor(kinds: readonly string[]) {
    const counts = new Map(kinds.map((work) => [work, { done: 0, failed: 0, given_up: 0 }]));
    this.#counts = counts;
    this.measurements = [
      {
        name: 'tenantry_work_total',
        help: 'Attempts at work that follows from a commit, by kind and by how they came out',
        type: 'counter',
        read: () =>
          [...counts].flatMap(([work, outcomes]) =>
            Object.entries(outcomes).map(([outcome, value]) => ({ labels: { work, outcome }, value })),
          ),
      },
    ];
  }

  count(work: string, outcome: WorkOutcome): void {
    const of = this.#counts.get(work);
    if (of) of[outcome] += 1;
  }
}

/** Due work of a kind that no instance has started. */
export interface Backlog {
  readonly work: string;
  readonly due: number;
  /** How long the oldest has been due. */
  readonly oldestSeconds: number;
  /** Work that is set aside, because its process died repeatedly; default: none. */
  readonly setAside?: number;
}

/** Options of {@link BacklogWatch}. */
export interface BacklogWatchOptions {
  /** Asks the database, by an index and within a limit. */
  readonly read: () => Promise<readonly Backlog[]>;
  readonly onFailure: (error: unknown) => void;
}

const lookEveryMs = 10_000;

/** Counts waiting work every ten seconds, however often Prometheus scrapes. */
export class BacklogWatch {
  readonly measurements: readonly Measurement[];
  readonly #options: BacklogWatchOptions;
  #known: readonly Backlog[] = [];
  #reading: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BacklogWatchOptions) {
    this.#options = options;
    this.measurements = [
      {
        name: 'tenantry_work_due',
        help: 'Work that is due and that no instance has begun, 10,000 at most',
        type: 'gauge',
        read: () => this.#byKind(({ due }) => due),
      },
      {
        name: 'tenantry_work_lag_seconds',
        help: 'How long the oldest work that no instance has begun has been due',
        type: 'gauge',
        read: () => this.#byKind(({ oldestSeconds }) => oldestSeconds),
      },
      {
        name: 'tenantry_work_set_aside',
        help: 'Work that is not begun again, because its process died at it twice; an operator brings it back',
        type: 'gauge',
        read: () => this.#byKind(({ setAside = 0 }) => setAside),
      },
    ];
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref();
    this.#look();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  #look(): void {
    const { read, onFailure } = this.#options;
    this.#reading ??= read()
      .then((found) => void (this.#known = found))
      // Old values would look current.
      .catch((error: unknown) => {
        this.#known = [];
        onFailure(error);
      })
      .finally(() => (this.#reading = undefined));
  }

  #byKind(valueOf: (backlog: Backlog) => number): Reading[] {
    return this.#known.map((backlog) => ({ labels: { work: backlog.work }, value: valueOf(backlog) }));
  }
}
