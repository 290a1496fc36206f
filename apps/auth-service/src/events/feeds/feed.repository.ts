import { unscopedStatement, type Unscoped } from '../../database.ts';
import { defineSweep } from '../../ground/index.ts';
import { beginning, cutOff, formatPlace, parsePlace, type Behind, type Range } from './cursor.ts';

/** An entry of a feed, in the order written. */
export interface Entry {
  /** Its place among the others: a number as text. */
  readonly id: string;
  readonly value: object;
}

/** A result: the entries, the place after them, and what of it is left for later. */
export interface Extract {
  readonly entries: readonly Entry[];
  readonly place: string;
  readonly behind?: Behind | undefined;
}

/** The definition of a feed. */
export interface FeedTable {
  readonly table: 'revocations' | 'events';
  /** An SQL expression: the entry as JSON. */
  readonly value: string;
  /**
   * An SQL condition: which rows to publish. It may refer to the row as `entry`. Entries do not come in their order where there
   * are many, so it excludes those that a later one replaces, unless readers do not mind.
   */
  readonly condition: string;
  /** How many entries of one organization a page has before it has those of others. */
  readonly perOrganizationMax: number;
}

/** Beyond that many organizations that are behind, all are: a cursor is a query parameter. */
const behindMax = 64;

/**
 * A page for a reader. News are what it does not see at its place, by turns: some of each organization. What is left of one is
 * late: its next entries come with the following pages, beside the news of others. The rest of the page goes to a reader for whom
 * everyone is behind, in the order of ids.
 *
 * News are found by their transaction, and the rest by its id. Statements are planned without their values, so each part is
 * written for its index: that of the news by a limit that is no limit, for the sake of which the rows are read in the
 * order of that index.
 *
 * A row of an earlier history has a transaction id without a meaning here, perhaps one of the future: only a reader from the
 * beginning gets it, by its id.
 */
const textOf = ({ table, value, condition, perOrganizationMax }: FeedTable): string => `
    WITH due AS MATERIALIZED (
      SELECT id, organization, row_number() OVER (PARTITION BY organization ORDER BY id) AS turn
      FROM (
        SELECT entry.id, entry.organization
        FROM feed_history AS history, (
          SELECT * FROM ${table}
          WHERE pg_snapshot_xmax($1::pg_snapshot) <> '3'::xid8
            AND xid >= pg_snapshot_xmin($1::pg_snapshot) AND xid < pg_snapshot_xmax(pg_current_snapshot())
          ORDER BY xid LIMIT $7::bigint) AS entry
        WHERE entry.id > history.${table}_before AND NOT pg_visible_in_snapshot(entry.xid, $1::pg_snapshot)
          AND ${condition}
        UNION
        SELECT later.* FROM jsonb_to_recordset($3::jsonb) AS behind (organization uuid, id bigint)
        CROSS JOIN LATERAL (
          SELECT entry.id, entry.organization FROM ${table} AS entry
          WHERE entry.organization = behind.organization AND entry.id > behind.id AND ${condition}
          ORDER BY entry.organization, entry.id LIMIT ${perOrganizationMax + 1}) AS later) AS either
    ), chosen AS MATERIALIZED (
      SELECT id FROM due WHERE turn <= ${perOrganizationMax} ORDER BY turn, id LIMIT $5::bigint
    ), rest AS MATERIALIZED (
      SELECT entry.id FROM ${table} AS entry WHERE entry.id > $4::bigint AND ${condition}
      ORDER BY entry.id LIMIT $6::bigint - (SELECT count(*) FROM chosen)
    )
    SELECT pg_current_snapshot()::text AS snapshot, history.epoch, mark.id AS mark, mark.xid::text AS "lastXid",
      app.feeds_are_current() AS "isCurrent",
      $2::jsonb IS NULL OR EXISTS (
        SELECT FROM jsonb_to_record($2::jsonb) AS place (epoch uuid, mark uuid)
        WHERE place.epoch = history.epoch
          AND EXISTS (SELECT FROM feed_marks AS known WHERE known.id = place.mark)) AS known,
      coalesce((
        SELECT json_agg(json_build_object('id', entry.id::text, 'value', ${value}) ORDER BY entry.id)
        FROM (SELECT id FROM chosen UNION SELECT id FROM rest) AS picked JOIN ${table} AS entry USING (id)), '[]') AS entries,
      coalesce((
        SELECT json_agg(json_build_object('organization', left_over.organization, 'id', left_over.id))
        FROM (
          SELECT organization, (min(id) - 1)::text AS id FROM due WHERE id NOT IN (SELECT id FROM chosen)
          GROUP BY organization) AS left_over), '[]') AS behind,
      CASE WHEN (SELECT count(*) FROM rest) = $6::bigint - (SELECT count(*) FROM chosen)
        THEN (SELECT max(id)::text FROM rest) END AS "restFrom"
    FROM feed_history AS history
    CROSS JOIN LATERAL (
      SELECT id, xid FROM feed_marks WHERE feed = '${table}' ORDER BY feed, xid DESC LIMIT 1) AS mark`;

/** A cursor names the latest mark of its time, which may be much older than it: the newest of the old ones stays. */
const oldMarks = (table: string) =>
  `feed = '${table}' AND created_at < statement_timestamp() - make_interval(secs => $1) - INTERVAL '1 day'`;

const beginEpoch = unscopedStatement({ name: 'feed-begin-epoch', text: 'SELECT app.begin_feed_epoch()' });

/** Nothing follows it. */
const lastId = '9223372036854775807';
const noLimit = Number.MAX_SAFE_INTEGER;

const invalidText = '22P02';

const reading = (feed: FeedTable) =>
  unscopedStatement({ name: `feed-${feed.table}`, like: 'feed', text: textOf(feed) });

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
  readonly #reading: ReturnType<typeof reading>;
  readonly #sweep: ReturnType<typeof sweepOf>;

  constructor(feed: FeedTable) {
    this.#reading = reading(feed);
    this.#sweep = sweepOf(feed);
  }

  /** Reads the entries of a range, `limit` at most; undefined when its place is not of this database's history. */
  async read(rows: Unscoped, { seen, behind }: Range, limit: number): Promise<Extract | undefined> {
    const { everyone } = behind ?? {};
    const place = parsePlace(seen);
    const organizations = [...(behind?.organizations ?? [])].map(([organization, id]) => ({
      organization,
      id,
    }));
    const values = [
      place?.snapshot ?? beginning,
      place ? JSON.stringify(place) : null,
      JSON.stringify(organizations),
      everyone?.id ?? lastId,
      // News leave room for the rest.
      everyone ? Math.floor(limit / 2) : limit,
      limit,
      noLimit,
    ] as const;
    try {
      let [row] = await rows.query(this.#reading, values);
      if (!row?.isCurrent) {
        await rows.query(beginEpoch, []);
        [row] = await rows.query(this.#reading, values);
      }
      if (!row?.isCurrent || !row.known) return undefined;
      const { epoch, mark, snapshot, lastXid, entries, behind: left, restFrom } = row;
      const rest = everyone && restFrom !== null ? { ...everyone, id: restFrom } : undefined;
      return {
        entries: entries as readonly Entry[],
        place: formatPlace({ epoch, mark, snapshot: cutOff(snapshot, lastXid) }),
        behind: behindOf(left as readonly LeftOver[], rest),
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

/** An organization with entries that found no room; null for entries without one. */
interface LeftOver {
  readonly organization: string | null;
  readonly id: string;
}

/** What is left for later pages. Entries of too many organizations are left as those of everyone. */
function behindOf(leftOver: readonly LeftOver[], everyone: Behind['everyone']): Behind | undefined {
  if (leftOver.length === 0) return everyone && { organizations: new Map(), everyone };
  if (leftOver.length <= behindMax && leftOver.every(({ organization }) => organization !== null)) {
    return {
      organizations: new Map(leftOver.map(({ organization, id }) => [String(organization), id])),
      everyone,
    };
  }
  const first = [...leftOver, ...(everyone ? [everyone] : [])].map(({ id }) => BigInt(id)).reduce(lesser);
  return { organizations: new Map(), everyone: { id: String(first), isPast: false } };
}

const lesser = (one: bigint, other: bigint): bigint => (one < other ? one : other);
