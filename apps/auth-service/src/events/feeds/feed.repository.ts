import { unscopedStatement, type Unscoped } from '../../database.ts';
import { defineSweep } from '../../ground/index.ts';
import { beginning, cutOff, formatPlace, parsePlace, type Cursor } from './cursor.ts';

/** An entry of a feed, in the order written. */
export interface Entry {
  /** Its place among the others: a number as text. */
  readonly id: string;
  readonly value: object;
}

/** The requested part of a feed: what follows a cursor. */
export type Range = Pick<Cursor, 'seen' | 'partly'>;

/** A result: the entries, and the place after them. */
export interface Extract {
  readonly entries: readonly Entry[];
  readonly place: string;
}

/** The definition of a feed. */
export interface FeedTable {
  readonly table: 'revocations' | 'events';
  /** An SQL expression: the entry as JSON. */
  readonly value: string;
  /** An SQL condition: which rows to publish. */
  readonly condition: string;
}

/**
 * The new entries for a reader, in the order of ids.
 *
 * A reader at the end finds the few new rows by their transaction; one that is catching up, by their id. Statements are planned
 * without their values, so each is written for its index: the first by a limit that is no limit (NULL), for the sake of which
 * the rows are read in the order of that index.
 *
 * A row of an earlier history has a transaction id without a meaning here, perhaps one of the future.
 */
const byTransaction = (table: string): string => `
  (SELECT * FROM ${table}
   WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) AND xid < pg_snapshot_xmax(pg_current_snapshot())
   ORDER BY xid LIMIT $6::bigint) AS recent`;
const byId = (table: string): string => table;

const textOf = ({ table, value, condition }: FeedTable, rows: (table: string) => string): string => `
  SELECT pg_current_snapshot()::text AS snapshot, history.epoch, mark.id AS mark, mark.xid::text AS "lastXid",
    app.feeds_are_current() AS "isCurrent",
    NOT EXISTS (
      SELECT FROM jsonb_to_recordset($5::jsonb) AS place (epoch uuid, mark uuid)
      WHERE place.epoch <> history.epoch
        OR NOT EXISTS (SELECT FROM feed_marks AS known WHERE known.id = place.mark)) AS known,
    coalesce((
      SELECT json_agg(json_build_object('id', news.id::text, 'value', news.value) ORDER BY news.id)
      FROM (
        SELECT id, ${value} AS value FROM ${rows(table)}
        WHERE (pg_snapshot_xmax($1::pg_snapshot) = '3'::xid8
            OR id > history.${table}_before AND NOT pg_visible_in_snapshot(xid, $1::pg_snapshot))
          AND ($2::pg_snapshot IS NULL OR id <= history.${table}_before
            OR pg_visible_in_snapshot(xid, $2::pg_snapshot))
          AND id > $3::bigint AND $6::bigint IS NULL AND ${condition}
        ORDER BY id LIMIT $4
      ) AS news), '[]') AS entries
  FROM feed_history AS history
  CROSS JOIN LATERAL (
    SELECT id, xid FROM feed_marks WHERE feed = '${table}' ORDER BY feed, xid DESC LIMIT 1) AS mark`;

/** A cursor names the latest mark of its time, which may be much older than it: the newest of the old ones stays. */
const oldMarks = (table: string) =>
  `feed = '${table}' AND created_at < statement_timestamp() - make_interval(secs => $1) - INTERVAL '1 day'`;

const beginEpoch = unscopedStatement({ name: 'feed-begin-epoch', text: 'SELECT app.begin_feed_epoch()' });

const invalidText = '22P02';

const reading = (feed: FeedTable, name: string, rows: (table: string) => string) =>
  unscopedStatement({ name: `feed-${feed.table}-${name}`, like: 'feed', text: textOf(feed, rows) });

const sweepOf = ({ table }: FeedTable) =>
  defineSweep({
    name: `feed-${table}-marks`,
    table: 'feed_marks',
    over: `${oldMarks(table)} AND xid < (
      SELECT xid FROM feed_marks WHERE ${oldMarks(table)} ORDER BY created_at DESC LIMIT 1)`,
    by: 'created_at',
  });

/** Reads a feed. Its rows belong to no tenant. */
export class FeedRepository {
  readonly #atTheEnd: ReturnType<typeof reading>;
  readonly #onTheWay: ReturnType<typeof reading>;
  readonly #sweep: ReturnType<typeof sweepOf>;

  constructor(feed: FeedTable) {
    this.#atTheEnd = reading(feed, 'end', byTransaction);
    this.#onTheWay = reading(feed, 'way', byId);
    this.#sweep = sweepOf(feed);
  }

  /** Reads the entries of a range, `limit` at most; undefined when its places are not of this database's history. */
  async read(rows: Unscoped, { seen, partly }: Range, limit: number): Promise<Extract | undefined> {
    const statement = partly || seen === beginning ? this.#onTheWay : this.#atTheEnd;
    const places = [seen, ...(partly ? [partly.until] : [])].map(parsePlace);
    const [from, until] = places;
    const named = places.filter((place) => place !== undefined);
    const values = [
      from?.snapshot ?? beginning,
      until?.snapshot ?? null,
      partly?.id ?? '0',
      limit,
      JSON.stringify(named),
      null,
    ] as const;
    try {
      let [row] = await rows.query(statement, values);
      if (!row?.isCurrent) {
        await rows.query(beginEpoch, []);
        [row] = await rows.query(statement, values);
      }
      if (!row?.isCurrent || !row.known) return undefined;
      const { epoch, mark, snapshot, lastXid, entries } = row;
      return {
        entries: entries as readonly Entry[],
        place: formatPlace({ epoch, mark, snapshot: cutOff(snapshot, lastXid) }),
      };
    } catch (error) {
      if ((error as { code?: unknown }).code === invalidText) return undefined;
      throw error;
    }
  }

  /** Deletes a batch of the marks that no cursor of this age or younger names. */
  sweepMarks(rows: Unscoped, cursorSecondsMax: number): Promise<boolean> {
    return this.#sweep(rows, cursorSecondsMax);
  }
}
