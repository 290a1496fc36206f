import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';

/** A member of an organization, and who it is. */
export interface Member {
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  /** Whether somebody has shown that mail to it reaches them. Absent from the events of earlier versions. */
  readonly emailVerified?: boolean;
  readonly name: string;
  /** The end of `name` that is the family name, where somebody has said so. */
  readonly familyName: string | null;
  readonly role: string;
  /** Nobody signs in to the account. Absent from the events of earlier versions. */
  readonly disabled?: boolean;
  /** When the membership began. ISO 8601 UTC. */
  readonly createdAt: string;
}

/** An organization and its settings. */
export interface Organization {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly settings: {
    readonly defaultCurrency: string;
    /** Percent. */
    readonly vatRate: number;
    readonly quoteNumberPrefix: string;
    readonly requireTwoFactor: boolean;
    /** IANA. Like what follows, absent from the events of earlier versions. */
    readonly timeZone?: string;
    readonly address?: PostalAddress | null;
    /** With its country code, without separators. */
    readonly vatNumber?: string | null;
  };
  /** SHA-256 of its logo, hexadecimal. Absent from the events of earlier versions. */
  readonly logo?: string | null;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
}

/** Where an organization has its seat. */
export interface PostalAddress {
  readonly lines: string[];
  /** May be empty. */
  readonly postalCode: string;
  readonly city: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** What an event says: how its subject is from now on, or that it is gone. */
export type Change = { readonly organizationId: string } & (
  | { readonly kind: 'member'; readonly member: Member }
  | { readonly kind: 'member-gone'; readonly userId: string }
  | { readonly kind: 'organization'; readonly organization: Organization }
  | { readonly kind: 'organization-deleted' | 'organization-purged' }
);

/** A page of the feed. */
export const EventPage = Type.Object({
  cursor: Type.String(),
  entries: Type.Array(Type.Object({ type: Type.String(), organizationId: Type.String({ format: 'uuid' }) })),
});

type Entry = Static<typeof EventPage>['entries'][number];

const MemberSchema = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  emailVerified: Type.Optional(Type.Boolean()),
  name: Type.String(),
  familyName: Type.Union([Type.String(), Type.Null()]),
  role: Type.String(),
  disabled: Type.Optional(Type.Boolean()),
  createdAt: Type.String(),
});
const OrganizationSchema = Type.Object({
  name: Type.String(),
  slug: Type.String(),
  settings: Type.Object({
    defaultCurrency: Type.String(),
    vatRate: Type.Number(),
    quoteNumberPrefix: Type.String(),
    requireTwoFactor: Type.Boolean(),
    timeZone: Type.Optional(Type.String()),
    address: Type.Optional(
      Type.Union([
        Type.Object({
          lines: Type.Array(Type.String()),
          postalCode: Type.String(),
          city: Type.String(),
          country: Type.String(),
        }),
        Type.Null(),
      ]),
    ),
    vatNumber: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  logo: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  createdAt: Type.String(),
});
const GoneMemberSchema = Type.Object({ userId: Type.String() });

/**
 * Reads what an entry of the feed says; undefined for a type that is not known here (yet).
 *
 * @throws Error for an entry that lacks a part.
 */
export function changeOf(entry: Entry): Change | undefined {
  const { type, organizationId } = entry;
  switch (type) {
    case 'member.added':
    case 'member.role-changed':
    case 'user.updated': {
      if (Check(MemberSchema, entry)) return { kind: 'member', organizationId, member: entry };
      break;
    }
    case 'member.removed':
    case 'user.erased': {
      if (Check(GoneMemberSchema, entry))
        return { kind: 'member-gone', organizationId, userId: entry.userId };
      break;
    }
    case 'organization.created':
    case 'organization.updated': {
      if (Check(OrganizationSchema, entry))
        return { kind: 'organization', organizationId, organization: entry };
      break;
    }
    case 'organization.deleted':
      return { kind: 'organization-deleted', organizationId };
    case 'organization.purged':
      return { kind: 'organization-purged', organizationId };
    default:
      return undefined;
  }
  throw new Error(`an event of the type ${type} lacks a part`);
}
