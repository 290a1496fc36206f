import { can, type Permission, type Role } from '@tenantry/jwt-verify';
import { roles } from '../../ground/index.ts';
import { forbidden, lastOwner } from './members.errors.ts';

/** The roles of two people in one organization at one moment; null for one who is not a member. */
export interface Standing {
  readonly actorRole: Role | null;
  readonly targetRole: Role | null;
  /** Whether another owner than the target can act: the account of one who is disabled cannot. */
  readonly otherOwners: boolean;
}

/**
 * Whether somebody may grant a role: nobody grants above their own, and only owners make owners.
 *
 * @throws FORBIDDEN
 */
export function requireMayGrant(actorRole: Role | null, role: Role): void {
  if (role === 'owner') requirePermission(actorRole, 'owners:write');
  if (actorRole === null || roles.indexOf(actorRole) > roles.indexOf(role)) {
    throw forbidden(`Your role may not grant the role ${role}.`, 'ROLE_TOO_HIGH');
  }
}

/**
 * Whether an invitation still grants what it offers, now that its sender holds this role. More than plain membership is
 * granted only while its sender could grant it; a plain one is the organization's, even if its sender has left.
 */
export function isStillGranted(inviterRole: Role | null, role: Role): boolean {
  if (role === 'member') return true;
  if (role === 'owner') return can(inviterRole, 'owners:write');
  return can(inviterRole, 'invitations:write');
}

/**
 * Whether somebody may change or end the membership of another, or their own: only owners change owners.
 *
 * @throws FORBIDDEN
 */
export function requireMayChange({ actorRole, targetRole }: Standing): void {
  requirePermission(actorRole, 'members:write');
  if (targetRole === 'owner') requirePermission(actorRole, 'owners:write');
}

/**
 * Whether an organization keeps an owner who can act when the target no longer is one.
 *
 * @throws LAST_OWNER
 */
export function requireOwnerRemains({ targetRole, otherOwners }: Standing): void {
  if (targetRole === 'owner' && !otherOwners) throw lastOwner();
}

/** @throws FORBIDDEN */
export function requirePermission(role: Role | null, permission: Permission): void {
  if (!can(role, permission)) {
    throw forbidden(`This needs the permission ${permission}, which your role does not have.`);
  }
}
