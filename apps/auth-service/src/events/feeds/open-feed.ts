import type { Ground } from '../../ground/index.ts';
import { FeedRepository, type FeedTable } from './feed.repository.ts';
import { Feed, type FeedOptions } from './feed.ts';
import { Tail, type ReadFeed } from './tail.ts';

/** Opens the feed of a table in this instance. */
export function openFeed(
  { database, logger, now }: Pick<Ground, 'database' | 'logger' | 'now'>,
  table: FeedTable,
  limits: Required<Pick<FeedOptions, 'pageMax' | 'retentionSeconds'>>,
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
