/** A user as the directories of other services need one. */
interface UserState {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
}

/** A member with the user behind, so that a directory can list one without asking. */
interface MemberState extends UserState {
  readonly organizationId: string;
  readonly role: string;
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
  };
  readonly createdAt: Date;
}

/**
 * What other services learn of. Each event carries the whole state of its subject, so the latest one about it is
 * enough; `createdAt` is when the subject was created.
 */
export type AuthEvent =
  | ({ readonly type: 'user.created' | 'user.updated' } & UserState)
  | { readonly type: 'user.erased'; readonly userId: string }
  | ({ readonly type: 'member.added' | 'member.role-changed' } & MemberState)
  | { readonly type: 'member.removed'; readonly organizationId: string; readonly userId: string }
  | ({ readonly type: 'organization.created' | 'organization.updated' } & OrganizationState)
  | { readonly type: 'organization.deleted'; readonly organizationId: string };

/** The key of what an event is about: a later event with the same key replaces it. */
export function subjectOf(event: AuthEvent): string {
  switch (event.type) {
    case 'user.created':
    case 'user.updated':
    case 'user.erased':
      return `user:${event.userId}`;
    case 'member.added':
    case 'member.role-changed':
    case 'member.removed':
      return `member:${event.organizationId}:${event.userId}`;
    case 'organization.created':
    case 'organization.updated':
    case 'organization.deleted':
      return `organization:${event.organizationId}`;
  }
}
