import { invalidField } from '@tenantry/envelope';
import type { Static } from 'typebox';
import { notLetIn, type EntryRefusal } from './callers.errors.ts';
import type { MembershipSchema, UserSchema } from './callers.schemas.ts';

/** A user, for all wings. */
export type User = Readonly<Static<typeof UserSchema>>;

/** An organization as one of its members sees it, with the role held there. */
export type Membership = Readonly<Static<typeof MembershipSchema>>;

/** The caller, and the organization they act in. */
export interface Caller {
  readonly user: User;
  /** Null when the user is not a member of the organization in question, or is not let in. */
  readonly organization: Membership | null;
  /** Why a member is not let in; null otherwise. */
  readonly refusal: EntryRefusal | null;
}

/** The organization that the caller acts in, with the role held there. */
export function actingIn(caller: Pick<Caller, 'organization' | 'refusal'>): Membership {
  if (caller.organization === null) throw notLetIn(caller);
  return caller.organization;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The organization that a path names as `:organizationId`: the caller acts in it, whichever is active in the token.
 *
 * @throws VALIDATION_ERROR: access is checked before the route's schema is.
 */
export function organizationOfPath({ params }: { readonly params: unknown }): string | undefined {
  const { organizationId } = params as { organizationId?: string };
  if (organizationId !== undefined && !uuid.test(organizationId)) {
    const finding = { rule: 'format', params: { format: 'uuid' }, message: 'must be a UUID' };
    throw invalidField({ field: 'organizationId', ...finding });
  }
  return organizationId?.toLowerCase();
}
