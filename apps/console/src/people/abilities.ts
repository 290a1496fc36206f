import { mayCall, type api } from '@tenantry/client';

/** What can be done with a member. */
export type Ability =
  | 'rename'
  | 'change-role'
  | 'transfer'
  | 'disable'
  | 'enable'
  | 'reset-two-factor'
  | 'remove'
  | 'leave';

/** A role in an organization. */
export type Role = NonNullable<api.User['role']>;

/** Who looks at the members. */
export interface Viewer {
  readonly id: string;
  readonly permissions: readonly string[];
  /** Whether they have signed in through the organization: they do nothing with themselves then. */
  readonly isConfined: boolean;
}

/** Whom they look at. */
export interface Subject {
  readonly id: string;
  readonly role: Role;
  readonly disabled: boolean;
}

const roles: readonly Role[] = ['member', 'admin', 'owner'];

/**
 * The actions that a member may take on another, or on themselves, so that only permitted ones are offered. Only owners change
 * owners, and members cannot disable or remove themselves here.
 */
export function abilitiesOf({ id, permissions, isConfined }: Viewer, subject: Subject): readonly Ability[] {
  if (id === subject.id) return isConfined ? [] : ['leave'];
  if (subject.role === 'owner' && !mayChangeOwners(permissions)) return [];
  const isOwner = mayChangeOwners(permissions);
  return [
    ...(mayCall(permissions, 'createUser') ? (['rename'] as const) : []),
    ...(mayCall(permissions, 'changeMemberRole') ? (['change-role'] as const) : []),
    ...(isOwner && subject.role !== 'owner' && !subject.disabled ? (['transfer'] as const) : []),
    ...(mayCall(permissions, 'resetMemberTwoFactor') ? (['reset-two-factor'] as const) : []),
    ...(mayCall(permissions, 'disableMember') ? ([subject.disabled ? 'enable' : 'disable'] as const) : []),
    ...(mayCall(permissions, 'deleteUser') ? (['remove'] as const) : []),
  ];
}

/** The roles that a member with these permissions may grant: none above their own. */
export function grantableRoles(permissions: readonly string[]): readonly Role[] {
  return mayChangeOwners(permissions) ? roles : roles.slice(0, -1);
}

const mayChangeOwners = (permissions: readonly string[]): boolean => permissions.includes('owners:write');
