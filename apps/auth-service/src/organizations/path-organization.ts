import { invalidField } from '@tenantry/envelope';
import { notLetIn } from '../sessions/sessions.errors.ts';
import type { Membership, Principal } from '../sessions/session.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The organization that a path names as `:organizationId`: the caller acts in it, whichever is active in the token.
 *
 * @throws VALIDATION_ERROR; the route's schema is asked later than the right of access.
 */
export function organizationOfPath({ params }: { readonly params: unknown }): string | undefined {
  const { organizationId } = params as { organizationId?: string };
  if (organizationId !== undefined && !uuid.test(organizationId)) {
    const finding = { rule: 'format', params: { format: 'uuid' }, message: 'must be a UUID' };
    throw invalidField({ field: 'organizationId', ...finding });
  }
  return organizationId;
}

/** The organization that the caller acts in, with the role held there. */
export function actingIn(principal: Pick<Principal, 'organization' | 'twoFactorMissing'>): Membership {
  if (principal.organization === null) throw notLetIn(principal);
  return principal.organization;
}
