const member = [
  'leads:read',
  'leads:write',
  'quotes:read',
  'quotes:write',
  'users:read',
  'organization:read',
  'members:read',
] as const;

const admin = [
  ...member,
  'users:write',
  'users:delete',
  'members:write',
  'invitations:read',
  'invitations:write',
  'organization:update',
  'audit:read',
  'webhooks:read',
  'webhooks:write',
] as const;

const owner = [...admin, 'organization:delete', 'organization:transfer', 'owners:write'] as const;

/** Which permissions each role carries: the one table every service reads. */
export const permissions = Object.freeze({
  owner: Object.freeze(owner),
  admin: Object.freeze(admin),
  member: Object.freeze(member),
});

/** A role of a member in an organization. */
export type Role = keyof typeof permissions;

/** What a route may ask for, named `resource:action`. */
export type Permission = (typeof owner)[number];

const granted: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(permissions).map(([role, carried]) => [role, new Set<string>(carried)]),
);

/**
 * Whether a role carries a permission. A role this version does not know carries none.
 *
 * @example can(identity.role, 'leads:write')
 */
export function can(role: string | null, permission: Permission): boolean {
  return role !== null && granted.get(role)?.has(permission) === true;
}

/**
 * Throws unless the text names a permission: a misspelt one is found when a route is defined, not when it
 * refuses everybody.
 */
export function assertPermission(text: string): asserts text is Permission {
  if (granted.get('owner')?.has(text) === true) return;
  throw new Error(`No permission is named '${text}'. There are: ${owner.join(', ')}.`);
}
