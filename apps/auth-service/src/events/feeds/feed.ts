import { everyone } from '@tenantry/contracts';
import type { Ground } from '../../ground/index.ts';
import { beginning, formatCursor, parseCursor, type Behind, type Cursor, type Range } from './cursor.ts';
import { FeedRepository, type Extract, type FeedTable } from './feed.repository.ts';
import { cursorUnknown, feedUnavailable } from './feeds.errors.ts';
import { Postponed } from './postponed.ts';
import { Tail, type ReadFeed } from './tail.ts';

/** What a reader asks for. */
interface FeedRequest {
  /** Its cursor; undefined at the beginning. */
  readonly after?: string | undefined;
  /** How long it waits for new entries, in seconds. */
  readonly waitSeconds: number;
  /** Organizations whose entries it wants later; they stay behind. */
  readonly later?: readonly string[] | undefined;
  /** Aborted when the reader disconnects. */
  readonly signal: AbortSignal;
}

/** New entries, and the cursor after them. */
interface FeedPage {
  readonly cursor: string;
  readonly entries: readonly object[];
  /** The organizations that have more entries than the page. */
  readonly behind: readonly string[];
  /** The time of the clock that tokens are issued by, in milliseconds since the epoch, when the page is sent. */
  readonly nowMs: number;
}

interface FeedOptions {
  readonly read: ReadFeed;
  readonly tail: Tail;
  /** Maximum entries in one page. */
  readonly pageMax: number;
  /** The lifetime of a cursor: older ones are refused. */
  readonly retentionSeconds?: number;
  readonly waitersMax?: number;
  readonly now: () => Date;
}

/** Maximum age of the knowledge that there are no new entries. */
const staleMsMax = 2_000;

const secondsOf = (ms: number): number => Math.floor(ms / 1_000);

/** A feed that is read by long poll: at least once, in order, and nothing that is committed is ever skipped. */
export class Feed {
  readonly #options: FeedOptions;
  readonly #ending = new AbortController();
  #waiters = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  /** @throws CURSOR_UNKNOWN, UPSTREAM_UNAVAILABLE */
  async page(request: FeedRequest): Promise<FeedPage> {
    const cursor = this.#requestedCursor(request.after);
    const postponed = new Postponed(request.later ?? [], cursor.behind);
    const extract = await this.#extract({ ...cursor, behind: postponed.without(cursor.behind) }, request);
    return this.#answer(postponed.leave(extract));
  }

  async #extract(cursor: Range, request: FeedRequest): Promise<Extract> {
    const { tail } = this.#options;
    if (cursor.behind || request.waitSeconds === 0) return this.#read(cursor);

    // The place was issued by another instance and is unknown here: read the current end, so that no entries are sent twice.
    await tail.refresh({ anyway: tail.since(cursor.seen) === undefined });
    const { head } = tail;
    if (head === undefined) throw feedUnavailable();
    if (tail.since(cursor.seen) !== undefined) return this.#wait(cursor.seen, request);
    // The end was read before this query, so no entry is missed.
    const page = await this.#read(cursor);
    return page.entries.length > 0 ? page : this.#wait(head, request);
  }

  /** Responds to the waiting readers, because the instance is about to stop. */
  release(): void {
    this.#ending.abort();
  }

  #nowSeconds(): number {
    return secondsOf(this.#options.now().getTime());
  }

  #requestedCursor(after: string | undefined): Cursor {
    const { retentionSeconds = Infinity } = this.#options;
    if (after === undefined) return { ...fromTheBeginning, at: this.#nowSeconds() };
    const cursor = parseCursor(after);
    if (cursor === undefined || this.#nowSeconds() - cursor.at > retentionSeconds) throw cursorUnknown();
    return cursor.seen === beginning ? { ...fromTheBeginning, at: cursor.at } : cursor;
  }

  #answer({ entries, place: seen, behind }: Extract): FeedPage {
    const nowMs = this.#options.now().getTime();
    return {
      cursor: formatCursor({ seen, behind, at: secondsOf(nowMs) }),
      entries: entries.map(({ value }) => value),
      behind: namesIn(behind),
      nowMs,
    };
  }

  async #read(range: Range): Promise<Extract> {
    const { read, pageMax } = this.#options;
    const extract = await read(range, pageMax);
    if (extract === undefined) throw cursorUnknown();
    return extract;
  }

  #newsOrEnd(seen: string, end: AbortSignal): Promise<void> {
    const { tail } = this.#options;
    return new Promise((resolve) => {
      const stop = tail.listen(settle);
      function settle(): void {
        stop();
        end.removeEventListener('abort', settle);
        resolve();
      }
      end.addEventListener('abort', settle);
      if (end.aborted || tail.head !== seen) settle();
    });
  }

  /** Waits at the end of the feed, from a place that the tail knows. */
  async #wait(seen: string, { waitSeconds, signal }: FeedRequest): Promise<Extract> {
    const { tail, pageMax, waitersMax = 2_000 } = this.#options;
    if (this.#waiters >= waitersMax) throw feedUnavailable();
    const end = AbortSignal.any([signal, this.#ending.signal, AbortSignal.timeout(waitSeconds * 1_000)]);
    this.#waiters++;
    try {
      await this.#newsOrEnd(seen, end);
    } finally {
      this.#waiters--;
    }
    const entries = tail.since(seen);
    if (entries === undefined || entries.length > pageMax) return this.#read({ seen });
    if (entries.length === 0 && tail.staleMs > staleMsMax) throw feedUnavailable();
    return { entries, place: tail.head ?? seen };
  }
}

/** All that there was before is behind. */
const fromTheBeginning: Range = {
  seen: beginning,
  behind: { organizations: new Map(), everyone: { id: '0', isPast: true } },
};

/** Whose news are not all in a page. What a reader from the beginning has yet to get is no news. */
function namesIn(behind: Behind | undefined): readonly string[] {
  if (behind?.everyone?.isPast === false) return [everyone];
  return [...(behind?.organizations.keys() ?? [])];
}

/** Opens the feed of a table in this instance. */
export function openFeed(
  { database, logger, now }: Pick<Ground, 'database' | 'logger' | 'now'>,
  table: FeedTable,
  limits: { readonly pageMax: number; readonly retentionSeconds: number },
) {
  const repository = new FeedRepository(table);
  const read: ReadFeed = (range, limit) => repository.read(database.unscoped, range, limit);
  const tail = new Tail({
    read,
    onFailure: (error) => logger.warn({ feed: table.table, err: error }, 'a feed cannot be read'),
  });
  return {
    feed: new Feed({ read, tail, now, ...limits }),
    wake: () => tail.wake(),
    sweepMarks: () => repository.sweepMarks(database.unscoped, limits.retentionSeconds),
  };
}
