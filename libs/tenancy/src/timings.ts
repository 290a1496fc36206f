/** What a pool knows of its own work. Times are those of `performance.now()`, and sums are seconds. */
export type Timings = ReturnType<typeof takeTimings>;

/** Seconds, ascending. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Starts measuring a pool: two additions per statement, since every statement pays for it. */
export function takeTimings() {
  // How often it took up to a bound and longer than the one before; the last is for longer than all of them.
  const connect = { bounds, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
  const statements = new Map<string, { count: number; sum: number }>();
  return {
    /** The wait for a connection, also one that ended without. */
    connect,
    /** By the name of the statement, or by model and operation of a call of Prisma (`prisma.lead.findMany`). */
    statements: statements as ReadonlyMap<string, { readonly count: number; readonly sum: number }>,
    connected(sinceMs: number, nowMs: number): void {
      const seconds = (nowMs - sinceMs) / 1_000;
      let index = 0;
      while (index < bounds.length && seconds > (bounds[index] ?? Infinity)) index += 1;
      connect.counts[index] = (connect.counts[index] ?? 0) + 1;
      connect.sum += seconds;
    },
    /** Queries without a name are not measured: names are constants in the code, while texts may come from anywhere. */
    answered(name: string | undefined, sinceMs: number): void {
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
