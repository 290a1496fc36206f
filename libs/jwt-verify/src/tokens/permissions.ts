import type { Member } from './identity.ts';

/** The roles that Tenantry gives the members of an organization. */
export type Role = 'owner' | 'admin' | 'member';

/**
 * Your permissions by role. A role that is not listed has none.
 *
 * @example { owner: ['invoices:read', 'invoices:write'], member: ['invoices:read'] }
 */
export type PermissionTable<Name extends string> = Readonly<Record<string, readonly Name[]>>;

/**
 * Keeps the names of a table that stands by itself, so that a misspelt one does not compile. Without it TypeScript
 * knows them as text, which no adapter takes; a table that is written where it is used needs nothing.
 *
 * @example const permissions = definePermissions({ owner: ['invoices:read'], member: ['invoices:read'] });
 */
export function definePermissions<const Name extends string>(
  table: PermissionTable<Name>,
): PermissionTable<Name> {
  return table;
}

/** Decides in code whether a member has a permission, if a table of roles is not enough. */
export type PermissionRule<Name extends string> = (holder: Member, permission: Name) => boolean;

/** A table of roles, or a rule in code. */
export type Permissions<Name extends string> = PermissionTable<Name> | PermissionRule<Name>;

/** Refuses a table whose names are of type `string`, in which a misspelt name would go unnoticed. */
export type Named<Name extends string> = string extends Name
  ? | PermissionRule<Name>
    | 'Write the table with definePermissions(…), so that misspelt permissions do not compile.'
  : unknown;

/**
 * Whether a role has a permission. A role that is not in the table has none.
 *
 * @example can(identity.role, 'invoices:write', { owner: ['invoices:write'] })
 */
export function can<Name extends string>(
  role: string | null,
  permission: NoInfer<Name>,
  table: PermissionTable<Name> & Named<Name>,
): boolean {
  return carries(table, role, permission);
}

function carries(table: PermissionTable<string>, role: string | null, permission: string): boolean {
  return role !== null && Object.hasOwn(table, role) && table[role]?.includes(permission) === true;
}

/** Whether a member has a permission, by a table of roles or by a rule. */
export function isGranted(holder: Member, permission: string, by: Permissions<string>): boolean {
  if (typeof by !== 'function') return carries(by, holder.role, permission);
  const answer: unknown = by(holder, permission);
  if (typeof answer === 'boolean') return answer;
  throw new TypeError('A rule of permissions must return true or false, and not a promise.');
}

/** The characters that a challenge may contain (RFC 6750 section 3). */
const permissionName = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Throws unless the text names a permission: a misspelt one is found when the route is defined, not when it refuses every
 * request. A rule may know any name.
 */
export function assertPermission(text: string, by: Permissions<string>): void {
  if (typeof by !== 'function') {
    const names = new Set(Object.values(by).flat());
    const known = names.size === 0 ? 'Pass yours to jwtAccess' : `There are: ${[...names].join(', ')}`;
    if (!names.has(text)) throw new Error(`No permission is named '${text}'. ${known}.`);
  }
  if (!permissionName.test(text)) {
    throw new Error(
      `A permission is named in visible ASCII without quotes, such as 'invoices:read': not '${text}'.`,
    );
  }
}
