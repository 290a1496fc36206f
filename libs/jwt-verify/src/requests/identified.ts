import { assertMember } from './access.ts';
import type { Identity, Member } from '../tokens/identity.ts';

/** A request as an adapter leaves it: null, or nothing, where nobody was asked who they are. */
export interface IdentifiedRequest {
  identity?: Identity | null;
}

/**
 * Who is calling, on a protected route. Throws on a public one, where nobody has been asked.
 *
 * @example const { userId } = identityOf(request);
 */
export function identityOf(request: object): Identity {
  const { identity } = request as IdentifiedRequest;
  if (identity) return identity;
  throw new Error(
    'This route is public, so nobody is known to call it: protect it, or do not ask who calls.',
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
