import type { Ground } from '../../ground/index.ts';
import { FeedRepository, type FeedTable } from './feed.repository.ts';
import { Feed } from './feed.ts';
import { Tail, type ReadFeed } from './tail.ts';

/** Options of a feed. */
interface FeedLimits {
  /** Maximum number of entries in one page. */
  readonly pageMax: number;
  /** How long entries are kept: a cursor older than this is no longer known. */
  readonly retentionSeconds: number;
}

/** A feed, and a function to notify it of writes. */
interface OpenFeed {
  readonly feed: Feed;
  readonly wake: () => void;
  /** Deletes a batch of marks that are too old for any cursor. */
  readonly sweepMarks: () => Promise<boolean>;
}

/** Opens the feed of a table in this instance. */
export function openFeed(
  { database, logger, now }: Pick<Ground, 'database' | 'logger' | 'now'>,
  table: FeedTable,
  limits: FeedLimits,
): OpenFeed {
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
