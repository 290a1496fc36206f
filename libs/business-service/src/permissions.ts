import { definePermissions, permissions, type Role } from '@tenantry/jwt-verify';
import type { RoutePermission } from '@tenantry/service-kit';

/** What each role may do. */
export type RolePermissions = Readonly<Record<Role, readonly string[]>>;

/**
 * The permissions that routes of a service may ask for: those that Tenantry's services share, and its own. Which role
 * carries what is decided here, by the role that the token names.
 */
export function permissionsWith(own: RolePermissions = { owner: [], admin: [], member: [] }) {
  // The names of its own are those that the service declares to OwnPermissions.
  const of = (role: Role) => [...permissions[role], ...own[role]] as RoutePermission[];
  return definePermissions({ owner: of('owner'), admin: of('admin'), member: of('member') });
}
