import { permissions, type Permission } from '@tenantry/contracts';
import { can, type Role } from '@tenantry/jwt-verify';
import { roles } from '../../ground/index.ts';
import { forbidden, lastOwner } from './members.errors.ts';

/** The current roles of two people in one organization; null if not a member. */
export interface Standing {
  readonly actorRole: Role | null;
  readonly targetRole: Role | null;
  /** Whether there is another owner with an enabled account. */
  readonly otherOwners: boolean;
}

/**
 * Whether a member may grant a role: at most their own, and only owners appoint owners.
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
 * Whether an invitation is still valid, given its sender's current role. A role above `member` requires that its sender could
 * still grant it; for `member` the sender may even have left.
 */
export function isStillGranted(inviterRole: Role | null, role: Role): boolean {
  if (role === 'member') return true;
  if (role === 'owner') return can(inviterRole, 'owners:write', permissions);
  return can(inviterRole, 'invitations:write', permissions);
}

/**
 * Whether a member may change or end a membership, their own included: only owners change owners.
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
  if (!can(role, permission, permissions)) {
    throw forbidden(`This needs the permission ${permission}, which your role does not have.`);
  }
}
