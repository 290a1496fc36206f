import { permissions } from '@tenantry/contracts';
import type { Role } from '@tenantry/jwt-verify';
import { ClosedObject, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';

/** Every role, from the most powerful to the least. */
export const roles = Object.keys(permissions) as readonly Role[];

/** A role of a member. */
export const RoleSchema = Type.Unsafe<Role>({ type: 'string', enum: [...roles] });

/** A user in an answer. */
export const UserSchema = ClosedObject(
  { id: Uuid(), email: Type.String(), name: Type.String() },
  { title: 'Account' },
);

/** An organization as one of its members sees it. */
export const MembershipSchema = ClosedObject(
  {
    id: Uuid(),
    name: Type.String(),
    slug: Type.String(),
    createdAt: Timestamp(),
    role: RoleSchema,
  },
  { title: 'Membership' },
);

/** The path of what belongs to one organization. */
export const OrganizationPath = ClosedObject({ organizationId: Uuid() });

/** The parsed name of a device, in a response. */
export const deviceProperties = {
  browser: Type.Union([Type.String({ examples: ['Firefox 140'] }), Type.Null()], {
    description: 'from the User-Agent; null if unknown',
  }),
  system: Type.Union([Type.String({ examples: ['macOS'] }), Type.Null()], {
    description: 'from the User-Agent; null if unknown',
  }),
};

/** The path of something that its id names. */
export const IdPath = ClosedObject({ id: Uuid() });
