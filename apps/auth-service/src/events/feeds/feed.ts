import { beginning, formatCursor, parseCursor, type Cursor } from './cursor.ts';
import type { Entry } from './feed.repository.ts';
import { cursorUnknown, feedUnavailable } from './feeds.errors.ts';
import type { ReadFeed, Tail } from './tail.ts';

/** What a reader asks for. */
export interface FeedRequest {
  /** Where it stands; undefined at the beginning. */
  readonly after?: string | undefined;
  /** How long it waits for news, in seconds. */
  readonly waitSeconds: number;
  /** Aborted when it has gone away. */
  readonly signal: AbortSignal;
}

/** News, and where they lead to. */
export interface FeedPage {
  readonly cursor: string;
  readonly entries: readonly object[];
  /** The clock that tokens are issued by, in milliseconds since the epoch, as the page is given out. */
  readonly nowMs: number;
}

/** What a feed is made of. */
export interface FeedOptions {
  readonly read: ReadFeed;
  readonly tail: Tail;
  /** Entries in one page at most. */
  readonly pageMax: number;
  /** How long what is gone can still be missed: a place older than this is not known any more. */
  readonly retentionSeconds?: number;
  readonly waitersMax?: number;
  readonly now: () => Date;
}

/** A feed that is read by long poll: at least once, in order, and nothing that is committed is ever skipped. */
export interface Feed {
  /** @throws CURSOR_UNKNOWN, UPSTREAM_UNAVAILABLE */
  page(request: FeedRequest): Promise<FeedPage>;
  /** Answers the waiting readers: the instance is about to stop. */
  release(): void;
}

/** An answer without news says that there were none: true only if the database was asked as late as this. */
const staleMsMax = 2_000;

export function createFeed(options: FeedOptions): Feed {
  const { tail, pageMax, retentionSeconds = Infinity, waitersMax = 2_000, now } = options;
  const ending = new AbortController();
  let waiters = 0;

  const secondsOf = (ms: number) => Math.floor(ms / 1_000);
  const nowSeconds = () => secondsOf(now().getTime());

  function requestedCursor(after: string | undefined): Cursor {
    if (after === undefined) return { seen: beginning, at: nowSeconds() };
    const cursor = parseCursor(after);
    if (cursor === undefined || nowSeconds() - cursor.at > retentionSeconds) throw cursorUnknown();
    return cursor;
  }

  function answer(entries: readonly Entry[], cursor: Omit<Cursor, 'at'>): FeedPage {
    const nowMs = now().getTime();
    return {
      cursor: formatCursor({ ...cursor, at: secondsOf(nowMs) }),
      entries: entries.map(({ value }) => value),
      nowMs,
    };
  }

  /** Asks the database itself; a page that is full leads to the next one. */
  async function read({ seen, partly }: Cursor): Promise<FeedPage> {
    const extract = await options.read({ seen, partly }, pageMax + 1);
    if (extract === undefined) throw cursorUnknown();
    const { entries, place } = extract;
    const until = partly?.until ?? place;
    if (entries.length <= pageMax) return answer(entries, { seen: until });
    const page = entries.slice(0, pageMax);
    return answer(page, { seen, partly: { until, id: page.at(-1)?.id ?? '0' } });
  }

  function newsOrEnd(seen: string, end: AbortSignal): Promise<void> {
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
  async function wait(seen: string, { waitSeconds, signal }: FeedRequest): Promise<FeedPage> {
    if (waiters >= waitersMax) throw feedUnavailable();
    const end = AbortSignal.any([signal, ending.signal, AbortSignal.timeout(waitSeconds * 1_000)]);
    waiters++;
    try {
      await newsOrEnd(seen, end);
    } finally {
      waiters--;
    }
    const entries = tail.since(seen);
    if (entries === undefined || entries.length > pageMax) return read({ seen, at: nowSeconds() });
    if (entries.length === 0 && tail.staleMs > staleMsMax) throw feedUnavailable();
    return answer(entries, { seen: tail.head ?? seen });
  }

  return {
    async page(request) {
      const cursor = requestedCursor(request.after);
      if (cursor.partly || request.waitSeconds === 0) return read(cursor);

      // Another instance gave out a place that is not known here: the end is wanted as it is now, so that nobody is
      // told twice of what lies between.
      await tail.refresh({ anyway: tail.since(cursor.seen) === undefined });
      const { head } = tail;
      if (head === undefined) throw feedUnavailable();
      if (tail.since(cursor.seen) !== undefined) return wait(cursor.seen, request);
      // The end was read before the question, so nothing falls in between.
      const page = await read(cursor);
      return page.entries.length > 0 ? page : wait(head, request);
    },

    release: () => ending.abort(),
  };
}
