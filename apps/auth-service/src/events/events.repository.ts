import type { AuthDatabase, Transaction } from '../database.ts';
import { subjectOf, type AuthEvent } from './event.ts';
import type { FeedTable } from './feeds/feed.repository.ts';

/** The outbox. */
export interface EventsRepository {
  insert(tx: Transaction, event: AuthEvent): Promise<void>;
  /** Removes every event about a user, or within an organization. */
  forget(
    tx: Transaction,
    about: { readonly userId: string } | { readonly organization: string },
  ): Promise<void>;
  /** Deletes events that a later one replaces and endings that were told long enough, of any organization. */
  sweep(database: AuthDatabase, retentionSeconds: number): Promise<void>;
}

// The latest event of a subject says all there is to know, and its end needs to be told no longer than any reader may
// lag behind.
const sweepText = `
  DELETE FROM events old WHERE old.created_at < clock_timestamp() - make_interval(secs => $1) AND (
    old.type IN ('user.erased', 'member.removed', 'organization.deleted')
    OR EXISTS (SELECT FROM events later WHERE later.subject = old.subject AND later.id > old.id))`;

/** The outbox in PostgreSQL. */
export function createEventsRepository(): EventsRepository {
  return {
    async insert({ prisma }, event) {
      const { type, ...payload } = event;
      await prisma.event.create({
        data: {
          type,
          subject: subjectOf(event),
          userId: 'userId' in event ? event.userId : null,
          organization: 'organizationId' in event ? event.organizationId : null,
          payload: JSON.parse(JSON.stringify(payload)) as Record<string, string>,
        },
      });
    },

    async forget({ prisma }, about) {
      await prisma.event.deleteMany({ where: about });
    },

    async sweep({ pool }, retentionSeconds) {
      await pool.query(sweepText, [retentionSeconds]);
    },
  };
}

/** The outbox, each event with its id and the moment it was recorded. */
export const eventsTable: FeedTable = {
  table: 'events',
  value: `payload || jsonb_build_object('id', id::text, 'type', type,
    'occurredAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  condition: 'true',
};
