import type { Transaction } from '../database.ts';
import type { Background, Ground } from '../ground/index.ts';
import type { RecordedEvent } from './event.ts';
import { EventsRepository, eventsTable } from './events.repository.ts';
import { openFeed, type Feed } from './feeds/feed.ts';

/** A consumer that was down for longer starts over from the beginning. */
const retentionSeconds = 7 * 24 * 60 * 60;
const pageMax = 500;

const repository = new EventsRepository();

/**
 * Publishes events to other services when the transaction commits: none of a transaction that is rolled back, and all of one
 * that commits.
 *
 * Call it after the change itself. Changes of one row are then published in the order in which they were made.
 */
export async function recordEvent(tx: Transaction, event: RecordedEvent): Promise<void> {
  // The end of a subject replaces its earlier events.
  if (event.type === 'organization.deleted' || event.type === 'organization.purged') {
    await repository.forgetOrganization(tx, event.organizationId);
  }
  await repository.insert(tx, [event]);
}

/** Publishes the state of a member of the scope's organization. Call it after the change. */
export async function recordMember(
  tx: Transaction,
  type: 'member.added' | 'member.role-changed',
  userId: string,
): Promise<void> {
  const member = await repository.lockMember(tx, userId);
  if (member) await repository.insert(tx, [{ type, ...member }]);
}

/** Publishes all members of the scope's organization. Call it after the change, with their users locked. */
export async function recordMembers(tx: Transaction): Promise<void> {
  await repository.insertMembers(tx);
}

/** Publishes the state of the scope's user to each of the user's organizations. Call it after the change. */
export async function recordUserUpdated(tx: Transaction): Promise<void> {
  const memberships = await repository.lockMemberships(tx);
  await repository.insert(
    tx,
    memberships.map((member) => ({ type: 'user.updated', ...member })),
  );
}

/** Publishes that a user was erased, and deletes the events with the user's name and address. */
export async function recordErasure(
  tx: Transaction,
  userId: string,
  organizationIds: readonly string[],
): Promise<void> {
  await repository.forgetUser(tx, userId);
  await repository.insert(
    tx,
    organizationIds.map((organizationId) => ({ type: 'user.erased', organizationId, userId })),
  );
}

/** The events of this instance, as other services read them. */
export class Events {
  readonly feed: Feed;
  readonly background: Background;
  readonly #database: Ground['database'];
  #sweptTo = '0';

  constructor(ground: Pick<Ground, 'database' | 'logger' | 'now'>) {
    const { feed, wake, sweepMarks } = openFeed(ground, eventsTable, { pageMax, retentionSeconds });
    this.feed = feed;
    this.background = {
      wakes: { events: wake },
      sweeps: { events: () => this.#sweep(), eventMarks: sweepMarks },
    };
    this.#database = ground.database;
  }

  /** Scans the table slice by slice, and starts over when it reaches recent events. */
  async #sweep(): Promise<boolean> {
    const slice = { after: this.#sweptTo, retentionSeconds };
    const to = await repository.sweep(this.#database.unscoped, slice);
    this.#sweptTo = to ?? '0';
    return to !== undefined;
  }
}
