import type { Measurement } from '@tenantry/service-kit/metrics';

/** How an attempt came out; `given_up` counts a piece of work whose last attempt had failed as well. */
export type WorkOutcome = 'done' | 'failed' | 'given_up';

/** Counts attempts at work of known kinds. */
export interface WorkCounts {
  count(work: string, outcome: WorkOutcome): void;
  readonly measurements: readonly Measurement[];
}

/** Begins to count. What is not of a kind named here is not counted. */
export function countWork(kinds: readonly string[]): WorkCounts {
  const counts = new Map(kinds.map((work) => [work, { done: 0, failed: 0, given_up: 0 }]));
  return {
    count(work, outcome) {
      const of = counts.get(work);
      if (of) of[outcome] += 1;
    },
    measurements: [
      {
        name: 'tenantry_work_total',
        help: 'Attempts at work that follows from a commit, by kind and by how they came out',
        type: 'counter',
        read: () =>
          [...counts].flatMap(([work, outcomes]) =>
            Object.entries(outcomes).map(([outcome, value]) => ({ labels: { work, outcome }, value })),
          ),
      },
    ],
  };
}

/** Work of a kind that is due and that no instance has begun. */
export interface Backlog {
  readonly work: string;
  readonly due: number;
  /** How long the oldest has been due. */
  readonly oldestSeconds: number;
  /** What is not begun again, because its process died at it repeatedly; default: none ever is. */
  readonly setAside?: number;
}

/** What a {@link watchBacklog} needs. */
export interface BacklogOptions {
  /** Asks the database, by an index and within a limit. */
  readonly read: () => Promise<readonly Backlog[]>;
  readonly onFailure: (error: unknown) => void;
  readonly everySeconds?: number;
}

/** Knows how much work waits. */
export interface BacklogWatch {
  readonly measurements: readonly Measurement[];
  start(): void;
  close(): Promise<void>;
}

/** Looks every ten seconds how much work waits, so that it makes no difference how often Prometheus asks. */
export function watchBacklog({ read, onFailure, everySeconds = 10 }: BacklogOptions): BacklogWatch {
  let known: readonly Backlog[] = [];
  let reading: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    reading ??= read()
      .then((found) => void (known = found))
      // What was known would look like news.
      .catch((error: unknown) => {
        known = [];
        onFailure(error);
      })
      .finally(() => (reading = undefined));
  }
  const byKind = (valueOf: (backlog: Backlog) => number) => () =>
    known.map((backlog) => ({ labels: { work: backlog.work }, value: valueOf(backlog) }));

  return {
    measurements: [
      {
        name: 'tenantry_work_due',
        help: 'Work that is due and that no instance has begun, 10,000 at most',
        type: 'gauge',
        read: byKind(({ due }) => due),
      },
      {
        name: 'tenantry_work_lag_seconds',
        help: 'How long the oldest work that no instance has begun has been due',
        type: 'gauge',
        read: byKind(({ oldestSeconds }) => oldestSeconds),
      },
      {
        name: 'tenantry_work_set_aside',
        help: 'Work that is not begun again, because its process died at it twice; an operator brings it back',
        type: 'gauge',
        read: byKind(({ setAside = 0 }) => setAside),
      },
    ],
    start() {
      timer = setInterval(look, everySeconds * 1_000).unref();
      look();
    },
    async close() {
      clearInterval(timer);
      await reading;
    },
  };
}
