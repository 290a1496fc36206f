import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { FeedPageOf } from './feeds.ts';
import { anyOf, Id, nullable, Timestamp, type Wire } from './fields.ts';

/** Path of auth-service's event feed, by long poll. */
export const eventsPath = '/internal/events';

/** A membership, by its ids. */
export const MemberKey = Type.Object({ organizationId: Id, userId: Id });

/** A member of an organization, with name and address, so that a directory needs no further request. */
export const Member = Type.Object({
  ...MemberKey.properties,
  email: Type.String(),
  /** Whether mail to the address is known to reach the user. Absent from the events of earlier versions. */
  emailVerified: Type.Optional(Type.Boolean()),
  name: Type.String(),
  /** The end of `name` that is the family name, where it is known. */
  familyName: nullable(Type.String()),
  role: Type.String(),
  /** A disabled user cannot sign in. Absent from the events of earlier versions. */
  disabled: Type.Optional(Type.Boolean()),
  /** When the membership began. */
  createdAt: Timestamp,
});

/** The address of an organization's registered office. */
export const PostalAddress = Type.Object({
  lines: Type.Array(Type.String()),
  /** May be empty. */
  postalCode: Type.String(),
  city: Type.String(),
  /** ISO 3166-1 alpha-2. */
  country: Type.String(),
});

const OrganizationKey = Type.Object({ organizationId: Id });

/** An organization and its settings. */
export const Organization = Type.Object({
  ...OrganizationKey.properties,
  name: Type.String(),
  slug: Type.String(),
  settings: Type.Object({
    defaultCurrency: Type.String(),
    /** Percent. */
    vatRate: Type.Number(),
    quoteNumberPrefix: Type.String(),
    requireTwoFactor: Type.Boolean(),
    /** IANA. Like the rest, absent from the events of earlier versions. */
    timeZone: Type.Optional(Type.String()),
    address: Type.Optional(nullable(PostalAddress)),
    /** With its country code, without separators. */
    vatNumber: Type.Optional(nullable(Type.String())),
  }),
  /** SHA-256 of its logo, hexadecimal. Absent from the events of earlier versions. */
  logo: Type.Optional(nullable(Type.String())),
  createdAt: Timestamp,
});

export type MemberKey = Wire<typeof MemberKey>;
export type Member = Wire<typeof Member>;
export type PostalAddress = Wire<typeof PostalAddress>;
export type Organization = Wire<typeof Organization>;

/**
 * The data of each type of event: the full state of its subject, so the latest event about a subject is enough.
 *
 * Each event belongs to one organization, so that a reader can apply it within that organization: a change of a user is
 * published once for every membership.
 */
const eventSchemas = {
  'member.added': Member,
  'member.role-changed': Member,
  'user.updated': Member,
  'member.removed': MemberKey,
  'user.erased': MemberKey,
  'organization.created': Organization,
  'organization.updated': Organization,
  // It can be restored until it is purged.
  'organization.deleted': OrganizationKey,
  'organization.purged': OrganizationKey,
} as const;

export type EventType = keyof typeof eventSchemas;

/** An event of some types, as its reader sees it. */
export type EventOf<Types extends EventType> = {
  [Name in Types]: { readonly type: Name } & Wire<(typeof eventSchemas)[Name]>;
}[Types];

/** The events about members and organizations. */
export type AuthEvent = EventOf<EventType>;

const Envelope = Type.Object({
  id: Type.String({ description: 'a number as text: later events have greater ones' }),
  type: Type.String({ examples: ['member.added'] }),
  occurredAt: Timestamp,
});

/** In place of ids: all organizations. */
export const everyone = '*';

/**
 * The organizations that have more events than the page, which come with later ones; absent from earlier versions. Of all others
 * the reader has everything once it has applied the page, whatever is in the way of the rest.
 */
const behind = Type.Optional(Type.Array(Type.String()));

/** A page as auth-service writes it. */
export const EventPageAnswer = Type.Object({
  ...FeedPageOf(anyOf(Envelope, ...Object.values(eventSchemas))).properties,
  behind,
});

/** A page as services read it: {@link readEvent} reads its entries. */
export const EventPage = Type.Object({
  ...FeedPageOf(Type.Object({ type: Type.String(), ...OrganizationKey.properties })).properties,
  behind,
});
export type EventPage = Wire<typeof EventPage>;

/**
 * Reads an entry of {@link EventPage}; undefined for a type that this version does not know.
 *
 * @throws Error for an entry that lacks a property.
 */
export function readEvent(entry: { readonly type: string }): AuthEvent | undefined {
  if (!isKnown(entry)) return undefined;
  if (!Check(eventSchemas[entry.type], entry))
    throw new Error(`an event of the type ${entry.type} lacks a property`);
  return entry as AuthEvent;
}

function isKnown(entry: { readonly type: string }): entry is { readonly type: EventType } {
  return Object.hasOwn(eventSchemas, entry.type);
}
