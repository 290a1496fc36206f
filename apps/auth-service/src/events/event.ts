/** A member with the user behind, so that a directory can list one without asking. */
export interface MemberState {
  readonly organizationId: string;
  readonly userId: string;
  readonly email: string;
  /** Somebody has shown that mail to the address reaches them. */
  readonly emailVerified: boolean;
  readonly name: string;
  /** The end of `name` that is the family name, where somebody has said so. */
  readonly familyName: string | null;
  readonly role: string;
  /** Nobody signs in to the account. */
  readonly disabled: boolean;
  readonly createdAt: Date;
}

/** A membership, by its ids. */
export interface MemberKey {
  readonly organizationId: string;
  readonly userId: string;
}

interface OrganizationState {
  readonly organizationId: string;
  readonly name: string;
  readonly slug: string;
  readonly settings: {
    readonly defaultCurrency: string;
    readonly vatRate: number;
    readonly quoteNumberPrefix: string;
    readonly requireTwoFactor: boolean;
    readonly timeZone: string;
    readonly address: {
      readonly lines: string[];
      readonly postalCode: string;
      readonly city: string;
      readonly country: string;
    } | null;
    readonly vatNumber: string | null;
  };
  /** SHA-256, hexadecimal. */
  readonly logo: string | null;
  readonly createdAt: Date;
}

/**
 * What other services learn of. Each event carries the whole state of its subject, so the latest one about it is
 * enough; `createdAt` is when the subject was created.
 *
 * Each event belongs to one organization, so that a reader can apply it within that organization: what happens to a
 * user is told once for every membership.
 */
export type AuthEvent =
  | ({ readonly type: 'member.added' | 'member.role-changed' | 'user.updated' } & MemberState)
  | ({ readonly type: 'member.removed' | 'user.erased' } & MemberKey)
  | ({ readonly type: 'organization.created' | 'organization.updated' } & OrganizationState)
  | { readonly type: 'organization.deleted' | 'organization.purged'; readonly organizationId: string };

/** The key of what an event is about: a later event with the same key replaces it. */
export function subjectOf(event: AuthEvent): string {
  switch (event.type) {
    case 'member.added':
    case 'member.role-changed':
    case 'user.updated':
    case 'member.removed':
    case 'user.erased':
      return `member:${event.organizationId}:${event.userId}`;
    case 'organization.created':
    case 'organization.updated':
    case 'organization.deleted':
    case 'organization.purged':
      return `organization:${event.organizationId}`;
  }
}
