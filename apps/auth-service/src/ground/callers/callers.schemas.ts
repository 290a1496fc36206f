import { permissions, type Role } from '@tenantry/jwt-verify';
import { Timestamp, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** Every role, from the most powerful to the least. */
export const roles = Object.keys(permissions) as readonly Role[];

/** A role of a member. */
export const RoleSchema = Type.Unsafe<Role>({ type: 'string', enum: [...roles] });

/** A user in an answer. */
export const UserSchema = Type.Object(
  { id: Uuid(), email: Type.String(), name: Type.String() },
  { ...closed, title: 'Account' },
);

/** An organization as one of its members sees it. */
export const MembershipSchema = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    slug: Type.String(),
    createdAt: Timestamp(),
    role: RoleSchema,
  },
  { ...closed, title: 'Membership' },
);

/** The path of what belongs to one organization. */
export const OrganizationPath = Type.Object({ organizationId: Uuid() }, closed);

/** What is read of a device's own name, as part of an answer. */
export const deviceProperties = {
  browser: Type.Union([Type.String({ examples: ['Firefox 140'] }), Type.Null()], {
    description: 'read from what the device calls itself; null where it names none that is known',
  }),
  system: Type.Union([Type.String({ examples: ['macOS'] }), Type.Null()], { description: 'likewise' }),
};
