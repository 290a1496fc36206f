import type { AuthEvent, EventOf } from '@tenantry/contracts';

/** What is recorded has all that a reader of this version knows. */
type Recorded<Event> = Event extends unknown
  ? { readonly [Name in keyof Event]-?: Name extends 'settings' ? Required<Event[Name]> : Event[Name] }
  : never;

/** An event as it is recorded. */
export type RecordedEvent = Recorded<AuthEvent>;

/** A member as events tell of one. */
export type MemberState = Omit<Recorded<EventOf<'member.added'>>, 'type'>;

/** The key of what an event is about: a later event with the same key replaces it. */
export function subjectOf(event: RecordedEvent): string {
  const { organizationId } = event;
  return 'userId' in event ? `member:${organizationId}:${event.userId}` : `organization:${organizationId}`;
}
