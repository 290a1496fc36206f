import type { Transaction } from '../database.ts';
import type { Background, Ground } from '../ground/index.ts';
import type { AuthEvent } from './event.ts';
import { createEventsRepository, eventsTable } from './events.repository.ts';
import type { Feed } from './feeds/feed.ts';
import { openFeed } from './feeds/open-feed.ts';

/** The events of this instance, as other services read them. */
export interface Events {
  readonly feed: Feed;
  readonly background: Background;
}

/** A consumer that was away for longer starts again from the beginning. */
const retentionSeconds = 7 * 24 * 60 * 60;
const pageMax = 500;

const repository = createEventsRepository();

/**
 * Tells other services what has happened, as soon as the transaction commits: nothing that is rolled back is told,
 * and nothing that is committed is lost.
 *
 * Call it after the change itself. Changes of one row then reach everyone in the order in which they were made.
 */
export async function recordEvent(tx: Transaction, event: AuthEvent): Promise<void> {
  // What is gone leaves no earlier news behind: an erased user's name and address live on in no log.
  if (event.type === 'user.erased') await repository.forgetUser(tx, event.userId);
  if (event.type === 'organization.deleted') await repository.forgetOrganization(tx, event.organizationId);
  await repository.insert(tx, event);
}

/** Opens the feed of events. */
export function createEvents(ground: Pick<Ground, 'database' | 'logger' | 'now'>): Events {
  const { feed, wake } = openFeed(ground, eventsTable, { pageMax, retentionSeconds });
  return {
    feed,
    background: {
      wakes: { events: wake },
      sweeps: { events: () => repository.sweep(ground.database.unscoped, retentionSeconds) },
    },
  };
}
