import type { Transaction } from '../database.ts';
import type { FeedTable } from './feeds/feed.repository.ts';
import { subjectOf, type AuthEvent } from './event.ts';

/** Adds an event to the outbox. */
export async function insertEvent({ prisma }: Transaction, event: AuthEvent): Promise<void> {
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
}

/** Removes every event about a user, or within an organization. */
export async function forgetEvents(
  { prisma }: Transaction,
  about: { readonly userId: string } | { readonly organization: string },
): Promise<void> {
  await prisma.event.deleteMany({ where: about });
}

/** The outbox, each event with its id and the moment it was recorded. */
export const eventsTable: FeedTable = {
  table: 'events',
  value: `payload || jsonb_build_object('id', id::text, 'type', type,
    'occurredAt', to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  condition: 'true',
};
