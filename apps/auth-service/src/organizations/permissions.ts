import { permissions as ofTenantry, type Role } from '@tenantry/jwt-verify';
import { Type } from 'typebox';

/** What each role may do. */
type RolePermissions = Readonly<Record<Role, readonly string[]>>;

/**
 * Permissions that services have of their own, each table as the service's `src/permissions.ts` has it. They are listed for
 * clients here; the service itself maps the role in a token to them.
 */
const ofServices: readonly RolePermissions[] = [];

const of = (role: Role): readonly string[] =>
  Object.freeze([...ofTenantry[role], ...ofServices.flatMap((table) => table[role])]);

/** The permissions of each role, in all services. */
export const permissions: RolePermissions = Object.freeze({
  owner: of('owner'),
  admin: of('admin'),
  member: of('member'),
});

/** The name of a permission. */
export const PermissionSchema = Type.Unsafe<string>({
  type: 'string',
  enum: [...new Set(Object.values(permissions).flat())],
  examples: ['leads:write'],
});
