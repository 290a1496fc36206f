import type { Pool } from 'pg';
import { historyNamed, type Position } from './consistency-token.ts';

interface Moment {
  /** Before the primary was asked: everything committed until then is before `lsn`. */
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

/** Resolution of the history: a busy service asks with every write. */
const apartMs = 100;
/** At least a minute of a service that asks four times a second. */
const momentsMax = 600;

/** Records the positions of a primary, and when it reached them. */
export class PrimaryClock {
  readonly #connections: Pick<Pool, 'query'>;
  readonly #now: () => number;
  readonly #moments: Moment[] = [];
  #history: string | undefined;
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<Position> | undefined;

  /**
   * @param connections on which the primary is asked
   * @param now a monotonic clock, in milliseconds
   */
  constructor(connections: Pick<Pool, 'query'>, now: () => number) {
    this.#connections = connections;
    this.#now = now;
  }

  /** The history that the primary is in, once it was asked. */
  get history(): string | undefined {
    return this.#history;
  }

  /**
   * Asks the primary for a position after everything that was committed before the call. Calls during a query share the next
   * one: one query at a time, however many write.
   */
  read(): Promise<Position> {
    return (this.#next ??= this.#current.then(() => {
      this.#next = undefined;
      const asked = this.#ask();
      this.#current = asked.catch(() => undefined);
      return asked;
    }));
  }

  /** The latest time until which all commits are before `lsn`, by the same clock; undefined if unknown. */
  reachedAt(lsn: bigint): number | undefined {
    return this.#moments.findLast((moment) => moment.lsn <= lsn)?.at;
  }

  async #ask(): Promise<Position> {
    const at = this.#now();
    const { rows } = await this.#connections.query<{ history: string; lsn: string }>(whereIsPrimary);
    const [row] = rows;
    if (!row) throw new Error('the primary does not say where it is');
    const position = { history: historyNamed(row.history), lsn: BigInt(row.lsn) };
    if (position.history !== this.#history) this.#moments.length = 0;
    this.#history = position.history;
    this.#remember({ at, lsn: position.lsn });
    return position;
  }

  #remember(moment: Moment): void {
    const before = this.#moments.at(-2);
    if (before && moment.at - before.at < apartMs) this.#moments.pop();
    this.#moments.push(moment);
    if (this.#moments.length > momentsMax) this.#moments.shift();
  }
}
