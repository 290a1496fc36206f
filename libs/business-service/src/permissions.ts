import { definePermissions, permissions, type Role } from '@tenantry/jwt-verify';
import type { RoutePermission } from '@tenantry/service-kit';

/** What each role may do. */
export type RolePermissions = Readonly<Record<Role, readonly string[]>>;

/**
 * The permissions that routes of a service may require: those shared by Tenantry's services, and its own. They follow from the
 * role in the token.
 */
export function permissionsWith(own: RolePermissions = { owner: [], admin: [], member: [] }) {
  // Its own names are those that the service adds to OwnPermissions.
  const of = (role: Role) => [...permissions[role], ...own[role]] as RoutePermission[];
  return definePermissions({ owner: of('owner'), admin: of('admin'), member: of('member') });
}
