import { TenancyError } from './errors.ts';

/**
 * On whose behalf a query runs: the organization of the verified token, or a user reading their own rows across organizations.
 * A part that a scope does not name is bound to '', and policies that check it match no row.
 */
export interface Scope {
  readonly organizationId?: string;
  readonly userId?: string;
}

/** A scope that names an organization, and possibly a user. */
export interface OrganizationScope extends Scope {
  readonly organizationId: string;
}

/** A scope that names a user, and possibly an organization. */
export interface UserScope extends Scope {
  readonly userId: string;
}

/** No scope: what belongs to no tenant. */
export interface NoScope {
  readonly organizationId?: never;
  readonly userId?: never;
}

/** The settings that row-level security reads, in the order in which they are bound. */
export const settings = ['app.organization_id', 'app.user_id'] as const;

/** The values of {@link settings} for one scope: UUIDs or '', so they are safe inside a literal. */
export type Binding = readonly [organizationId: string, userId: string];

/** The binding of a connection without a scope: every tenant policy raises. */
export const unbound: Binding = ['', ''];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Turns a scope into the values that are bound.
 *
 * @throws {TenancyError} SCOPE_INVALID when it names neither an organization nor a user, or an id is not a UUID.
 */
export function bindingOf({ organizationId, userId }: Scope): Binding {
  for (const id of [organizationId, userId]) {
    if (id !== undefined && !uuid.test(id)) {
      throw new TenancyError('SCOPE_INVALID', 'A scope names its organization and its user by UUID.');
    }
  }
  if (organizationId === undefined && userId === undefined) {
    throw new TenancyError('SCOPE_INVALID', 'A scope names an organization, a user or both.');
  }
  return [organizationId ?? '', userId ?? ''];
}
