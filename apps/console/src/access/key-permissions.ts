import type { api } from '@tenantry/client';

/** A permission of the API. */
type Permission = api.ListPermissionsAnswer['permissions'][number];

/** What a permission that is of use to a key is about. */
export type Subject = 'leads' | 'quotes' | 'people' | 'activity';

/** In this order they are offered. */
const subjects: readonly Subject[] = ['leads', 'quotes', 'people', 'activity'];

/** Null for what only signed-in users do: it is of no use to a key, whatever the role of its account. */
const subjectOf = {
  'leads:read': 'leads',
  'leads:write': 'leads',
  'leads:erase': 'leads',
  'quotes:read': 'quotes',
  'quotes:write': 'quotes',
  'customers:erase': 'quotes',
  'users:read': 'people',
  'users:write': null,
  'users:delete': null,
  'users:disable': null,
  'organization:read': null,
  'organization:update': null,
  'organization:delete': null,
  'organization:export': null,
  'members:read': null,
  'members:write': null,
  'owners:write': null,
  'invitations:read': null,
  'invitations:write': null,
  'service-accounts:read': null,
  'service-accounts:write': null,
  'domains:read': null,
  'domains:write': null,
  'connections:write': null,
  'audit:read': 'activity',
} as const satisfies Readonly<Record<Permission, Subject | null>>;

/** A permission that is of use to a key. */
export type KeyPermission = {
  [Name in Permission]: (typeof subjectOf)[Name] extends null ? never : Name;
}[Permission];

/** Permissions with one subject. */
export interface PermissionGroup {
  readonly subject: Subject;
  readonly permissions: readonly KeyPermission[];
}

/** What a key of a role can be limited to, by subject. @param ofRole the permissions of the role */
export function keyPermissions(ofRole: readonly Permission[]): readonly PermissionGroup[] {
  const names = Object.keys(subjectOf) as Permission[];
  return subjects
    .map((subject) => ({
      subject,
      permissions: names.filter(
        (name): name is KeyPermission => subjectOf[name] === subject && ofRole.includes(name),
      ),
    }))
    .filter(({ permissions }) => permissions.length > 0);
}

const lists = [
  ['leads:read', '/api/leads'],
  ['quotes:read', '/api/quotation/quotes'],
  ['users:read', '/api/users'],
  ['audit:read', '/api/leads/audit'],
] as const;

/** A list that a key can read, to try it; undefined if it can read none. @param permissions null for those of its role */
export function readableList(permissions: readonly string[] | null): string | undefined {
  return lists.find(([name]) => permissions === null || permissions.includes(name))?.[1];
}

/** Command that reads a list with a key; its quotation marks are those of every shell. */
export const curlCommand = (url: string, key: string): string =>
  `curl "${url}" -H "Authorization: Bearer ${key}"`;
