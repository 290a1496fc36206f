import { unscopedStatement } from '@tenantry/tenancy';
import type { Transaction, Unscoped } from '../database.ts';
import { subjectOf, type AuthEvent } from './event.ts';
import type { FeedTable } from './feeds/feed.repository.ts';

/** The outbox. Its rows belong to no tenant. */
export interface EventsRepository {
  insert(tx: Transaction, event: AuthEvent): Promise<void>;
  /** Deletes every event about a user. */
  forgetUser(tx: Transaction, userId: string): Promise<void>;
  /** Deletes every event about an organization, and within it. */
  forgetOrganization(tx: Transaction, organizationId: string): Promise<void>;
  /** Deletes events that a later one replaces, and endings that were told for long enough. */
  sweep(rows: Unscoped, retentionSeconds: number): Promise<void>;
}

const insertEvent = unscopedStatement<
  never,
  [type: string, subject: string, userId: string | null, organizationId: string | null, payload: object]
>({
  name: 'event-insert',
  text: `
    INSERT INTO events (type, subject, user_id, organization, payload) VALUES ($1, $2, $3, $4, $5)`,
});

const forgetUser = unscopedStatement<never, [userId: string]>({
  name: 'events-forget-user',
  text: 'DELETE FROM events WHERE user_id = $1',
});

const forgetOrganization = unscopedStatement<never, [organizationId: string]>({
  name: 'events-forget-organization',
  text: 'DELETE FROM events WHERE organization = $1',
});

// The latest event of a subject says all there is to know, and its end needs to be told no longer than any reader may
// lag behind.
const sweepEvents = unscopedStatement<never, [retentionSeconds: number]>({
  name: 'events-sweep',
  text: `
    DELETE FROM events old WHERE old.created_at < clock_timestamp() - make_interval(secs => $1) AND (
      old.type IN ('user.erased', 'member.removed', 'organization.deleted')
      OR EXISTS (SELECT FROM events later WHERE later.subject = old.subject AND later.id > old.id))`,
});

/** The outbox in PostgreSQL. */
export function createEventsRepository(): EventsRepository {
  return {
    async insert(tx, event) {
      const { type, ...payload } = event;
      const userId = 'userId' in event ? event.userId : null;
      const organizationId = 'organizationId' in event ? event.organizationId : null;
      await tx.query(insertEvent, [type, subjectOf(event), userId, organizationId, payload]);
    },
    async forgetUser(tx, userId) {
      await tx.query(forgetUser, [userId]);
    },
    async forgetOrganization(tx, organizationId) {
      await tx.query(forgetOrganization, [organizationId]);
    },
    async sweep(rows, retentionSeconds) {
      await rows.query(sweepEvents, [retentionSeconds]);
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
