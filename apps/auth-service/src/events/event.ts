import type { AuthEvent, EventOf } from '@tenantry/contracts';

/** Recorded events have all properties that readers of this version know. */
type Recorded<Event> = Event extends unknown
  ? { readonly [Name in keyof Event]-?: Name extends 'settings' ? Required<Event[Name]> : Event[Name] }
  : never;

/** An event as it is recorded. */
export type RecordedEvent = Recorded<AuthEvent>;

/** A member as it appears in events. */
export type MemberState = Omit<Recorded<EventOf<'member.added'>>, 'type'>;

/** The key of an event's subject: a later event with the same key replaces it. */
export function subjectOf(event: RecordedEvent): string {
  const { organizationId } = event;
  return 'userId' in event ? `member:${organizationId}:${event.userId}` : `organization:${organizationId}`;
}
