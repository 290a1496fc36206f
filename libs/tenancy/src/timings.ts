/** How long something took, since the process began. */
export interface Distribution {
  /** Seconds, ascending. */
  readonly bounds: readonly number[];
  /** How often it took up to a bound and longer than the one before; the last is for longer than all of them. */
  readonly counts: readonly number[];
  /** Seconds in all. */
  readonly sum: number;
}

/** How often something was done, and how many seconds that took in all. */
export interface Total {
  readonly count: number;
  readonly sum: number;
}

/** What a pool knows of its own work. */
export interface PoolTimings {
  /** The wait for a connection, also one that ended without. */
  readonly connect: Distribution;
  /** By the name of the statement, or by model and operation of a call of Prisma (`prisma.lead.findMany`). */
  readonly statements: ReadonlyMap<string, Total>;
}

/** {@link PoolTimings} that are being taken. Times are those of `performance.now()`. */
export interface TakenTimings extends PoolTimings {
  connected(sinceMs: number, nowMs: number): void;
  /** Queries without a name are not measured: names are constants in the code, while texts may come from anywhere. */
  answered(name: string | undefined, sinceMs: number): void;
}

const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Starts measuring a pool: two additions per statement, since every statement pays for it. */
export function takeTimings(): TakenTimings {
  const connect = { bounds, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
  const statements = new Map<string, { count: number; sum: number }>();
  return {
    connect,
    statements,
    connected(sinceMs, nowMs) {
      const seconds = (nowMs - sinceMs) / 1_000;
      let index = 0;
      while (index < bounds.length && seconds > (bounds[index] ?? Infinity)) index += 1;
      connect.counts[index] = (connect.counts[index] ?? 0) + 1;
      connect.sum += seconds;
    },
    answered(name, sinceMs) {
      if (name === undefined) return;
      const seconds = (performance.now() - sinceMs) / 1_000;
      const known = statements.get(name);
      if (known) {
        known.count += 1;
        known.sum += seconds;
      } else {
        statements.set(name, { count: 1, sum: seconds });
      }
    },
  };
}
