import type { Pool } from 'pg';
import { historyNamed, type Position } from './consistency-token.ts';

/** Tells how far the primary has written, and when it was there. */
export interface PrimaryClock {
  /** Asks the primary: a position behind everything that was committed before the call. */
  read(): Promise<Position>;
  /** The history that the primary is in, once it was asked. */
  readonly history: string | undefined;
  /** The newest moment of which everything lies before `lsn`, by `performance.now()`; undefined where none is known. */
  reachedAt(lsn: bigint): number | undefined;
}

interface Moment {
  /** Before the primary was asked: what was committed until then lies before `lsn`. */
  readonly at: number;
  readonly lsn: bigint;
}

// What is not on the disk is not sent to replicas. A commit that does not wait for the disk is not flushed yet.
const whereIsPrimary = {
  name: 'primary-position',
  text: `
    SELECT system_identifier || ':' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) AS history,
      (CASE current_setting('synchronous_commit')
        WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0')::text AS lsn
    FROM pg_control_system()`,
};

/** Moments that are told apart: a busy service asks with every write. */
const apartMs = 100;
/** A minute of a service that asks four times a second, at the least. */
const momentsMax = 600;

/** Makes the clock of a primary that is asked on these connections. */
export function createPrimaryClock(connections: Pick<Pool, 'query'>): PrimaryClock {
  const moments: Moment[] = [];
  let history: string | undefined;
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Position> | undefined;

  async function ask(): Promise<Position> {
    const at = performance.now();
    const { rows } = await connections.query<{ history: string; lsn: string }>(whereIsPrimary);
    const [row] = rows;
    if (!row) throw new Error('the primary does not say where it is');
    const position = { history: historyNamed(row.history), lsn: BigInt(row.lsn) };
    if (position.history !== history) moments.length = 0;
    history = position.history;
    remember({ at, lsn: position.lsn });
    return position;
  }

  function remember(moment: Moment): void {
    const before = moments.at(-2);
    if (before && moment.at - before.at < apartMs) moments.pop();
    moments.push(moment);
    if (moments.length > momentsMax) moments.shift();
  }

  return {
    // All who come while the primary is being asked share the next answer: one query at a time, however many write.
    read: () =>
      (next ??= current.then(() => {
        next = undefined;
        const asked = ask();
        current = asked.catch(() => undefined);
        return asked;
      })),
    get history() {
      return history;
    },
    reachedAt: (lsn) => moments.findLast((moment) => moment.lsn <= lsn)?.at,
  };
}
