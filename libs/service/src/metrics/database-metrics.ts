import type { Distribution, Measurement, Total } from './measurement.ts';
import { measureShares, type MeasuredShares } from './share-metrics.ts';

/** A pool of connections to a database: what `pg` counts of it, and how long its work has taken. */
export interface MeasuredPool {
  readonly totalCount: number;
  readonly idleCount: number;
  /** Requests that wait for a connection. */
  readonly waitingCount: number;
  /** A pool of @tenantry/tenancy has these and timings. */
  readonly shares?: { readonly waiting: number; readonly shares: readonly MeasuredShares[] };
  readonly timings?: {
    readonly connect: Distribution;
    /** By the name of the statement. */
    readonly statements: ReadonlyMap<string, Total>;
  };
}

/** What is measured of a pool. */
export function databaseMeasurements(pool: MeasuredPool): readonly Measurement[] {
  const { timings, shares } = pool;
  return [
    ...countsOf(pool),
    ...(timings ? timingsOf(timings) : []),
    ...(shares?.shares.flatMap(measureShares) ?? []),
  ];
}

function countsOf(pool: MeasuredPool): Measurement[] {
  return [
    {
      name: 'tenantry_database_connections',
      help: 'Open connections to the database',
      type: 'gauge',
      read: () => [
        { labels: { state: 'idle' }, value: pool.idleCount },
        { labels: { state: 'in_use' }, value: pool.totalCount - pool.idleCount },
      ],
    },
    {
      name: 'tenantry_database_waiting',
      help: 'Requests that wait for a connection to the database',
      type: 'gauge',
      read: () => [{ value: pool.shares?.waiting ?? pool.waitingCount }],
    },
  ];
}

function timingsOf({ connect, statements }: NonNullable<MeasuredPool['timings']>): Measurement[] {
  return [
    {
      name: 'tenantry_database_connect_seconds',
      help: 'Time to get a connection to the database',
      type: 'histogram',
      read: () => [connect],
    },
    {
      name: 'tenantry_database_statement_seconds',
      help: 'Time from a statement to its answer, by the name of the statement',
      type: 'summary',
      read: () =>
        [...statements].map(([statement, { count, sum }]) => ({ labels: { statement }, count, sum })),
    },
  ];
}
