import { unscopedStatement } from '@tenantry/tenancy';
import type { Unscoped } from '../../database.ts';
import { beginning } from './cursor.ts';

/** What a feed gives out, in the order in which it was written. */
export interface Entry {
  /** Its place among the others: a number as text. */
  readonly id: string;
  readonly value: object;
}

/** Which part of a feed is asked for. */
export interface Range {
  /** Without what is visible in this snapshot. */
  readonly seen: string;
  /** Only what is visible in this one, and comes after this id. */
  readonly partly?: { readonly until: string; readonly id: string } | undefined;
}

/** One answer of the database: the entries, and the snapshot that they were read in. */
export interface Extract {
  readonly entries: readonly Entry[];
  readonly snapshot: string;
}

/** Where a feed is read. Its rows belong to no tenant. */
export interface FeedRepository {
  /** Reads the entries of a range, `limit` at most; undefined when the snapshots are none of this database. */
  read(rows: Unscoped, range: Range, limit: number): Promise<Extract | undefined>;
}

/** What tells one feed from another. */
export interface FeedTable {
  readonly table: 'revocations' | 'events';
  /** An SQL expression: the entry as JSON. */
  readonly value: string;
  /** An SQL condition: what is worth telling. */
  readonly condition: string;
}

/**
 * What is news to a reader, in the order of ids.
 *
 * A reader at the end finds the few rows that are news by their transaction; one that works its way up to there, by
 * their id. Statements are planned without their values, so each is written for its index: the first by a limit that
 * is no limit (NULL), for the sake of which the rows are read in the order of that index.
 */
const byTransaction = (table: string): string =>
  `(SELECT * FROM ${table} WHERE xid >= pg_snapshot_xmin($1::pg_snapshot) ORDER BY xid LIMIT $5::bigint) AS recent`;
const byId = (table: string): string => table;

const textOf = ({ table, value, condition }: FeedTable, rows: (table: string) => string): string => `
  SELECT pg_current_snapshot()::text AS snapshot,
    pg_snapshot_xmax($1::pg_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) AS known,
    coalesce((
      SELECT json_agg(json_build_object('id', news.id::text, 'value', news.value) ORDER BY news.id)
      FROM (
        SELECT id, ${value} AS value FROM ${rows(table)}
        WHERE NOT pg_visible_in_snapshot(xid, $1::pg_snapshot)
          AND ($2::pg_snapshot IS NULL OR pg_visible_in_snapshot(xid, $2::pg_snapshot)) AND id > $3::bigint
          AND $5::bigint IS NULL AND ${condition}
        ORDER BY id LIMIT $4
      ) AS news), '[]') AS entries`;

const invalidText = '22P02';

type FeedValues = [seen: string, until: string | null, afterId: string, limit: number, all: null];

/** A feed in PostgreSQL. */
export function createFeedRepository(feed: FeedTable): FeedRepository {
  const define = (name: string, rows: (table: string) => string) =>
    unscopedStatement<Extract & { readonly known: boolean }, FeedValues>({
      name: `feed-${feed.table}-${name}`,
      text: textOf(feed, rows),
    });
  const atTheEnd = define('end', byTransaction);
  const onTheWay = define('way', byId);

  return {
    async read(rows, { seen, partly }, limit) {
      const statement = partly || seen === beginning ? onTheWay : atTheEnd;
      try {
        const values: FeedValues = [seen, partly?.until ?? null, partly?.id ?? '0', limit, null];
        const [row] = await rows.query(statement, values);
        // A snapshot of the future is one of another database: this one was restored from a backup, or replaced.
        return row?.known ? row : undefined;
      } catch (error) {
        if ((error as { code?: unknown }).code === invalidText) return undefined;
        throw error;
      }
    },
  };
}
