import { assertMember } from './access.ts';
import type { Identity, Member } from '../tokens/identity.ts';

/** A request after an adapter: `identity` is null or absent on public routes. */
export interface IdentifiedRequest {
  identity?: Identity | null;
}

/** The caller of a protected route. Throws on a public one.
 *
 * @example const { userId } = identityOf(request);
 */
export function identityOf(request: object): Identity {
  const { identity } = request as IdentifiedRequest;
  if (identity) return identity;
  throw new Error(
    'This route is public, so its caller is unknown: protect it, or do not ask for the caller.',
  );
}

/**
 * As {@link identityOf}, with the active organization, which a route that requires a permission always has. Throws a
 * 403 {@link AccessError} where none is active.
 *
 * @example const leads = leadsOf(memberOf(request).organizationId);
 */
export function memberOf(request: object): Member {
  const identity = identityOf(request);
  assertMember(identity);
  return identity;
}
