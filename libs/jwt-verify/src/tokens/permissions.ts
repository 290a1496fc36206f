import type { Identity, Member } from './identity.ts';
import { permissionName, scopedRole } from './scope.ts';

/** The roles that Tenantry gives the members of an organization. */
export type Role = 'owner' | 'admin' | 'member';

/**
 * Your permissions by role. A role that is not listed has none. A service account has those of its base role that its key is
 * limited to.
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
 * Whether an identity, or a role, has a permission. A role that is not in the table has none, nor has the role `scoped` of
 * keys: pass the identity, whose base role and scope are then asked.
 *
 * @example can(identity, 'invoices:write', { owner: ['invoices:write'] })
 */
export function can<Name extends string>(
  holder: Identity | string | null,
  permission: NoInfer<Name>,
  table: PermissionTable<Name> & Named<Name>,
): boolean {
  if (holder === null || typeof holder === 'string') return carries(table, holder, permission);
  return holder.organizationId !== null && isGranted(holder, permission, table);
}

function carries(table: PermissionTable<string>, role: string | null, permission: string): boolean {
  if (role === null || role === scopedRole) return false;
  return Object.hasOwn(table, role) && table[role]?.includes(permission) === true;
}

/** Whether a member has a permission, by a table of roles or by a rule; a key only what is in its scope. */
export function isGranted(holder: Identity, permission: string, by: Permissions<string>): boolean {
  const { kind, role, baseRole, scope } = holder;
  const isKey = kind === 'service';
  if (isKey && scope !== '*' && scope?.includes(permission) !== true) return false;
  if (typeof by !== 'function') return carries(by, isKey ? baseRole : role, permission);
  const answer: unknown = by(holder as Member, permission);
  if (typeof answer === 'boolean') return answer;
  throw new TypeError('A rule of permissions must return true or false, and not a promise.');
}

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
