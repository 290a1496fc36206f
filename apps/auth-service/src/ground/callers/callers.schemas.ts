import { Type } from 'typebox';
import type { Membership } from './caller.ts';

const closed = { additionalProperties: false } as const;
const UuidSchema = Type.String({ format: 'uuid' });

/** A user in an answer. */
export const UserSchema = Type.Object({ id: UuidSchema, email: Type.String(), name: Type.String() }, closed);

/** An organization as one of its members sees it. */
export const MembershipSchema = Type.Object(
  {
    id: UuidSchema,
    name: Type.String(),
    slug: Type.String(),
    createdAt: Type.String({ format: 'date-time' }),
    role: Type.String(),
  },
  closed,
);

/** A {@link Membership} in an answer. */
export function membershipAnswer({ createdAt, ...membership }: Membership) {
  return { ...membership, createdAt: createdAt.toISOString() };
}

/** The path of what belongs to one organization. */
export const OrganizationPath = Type.Object({ organizationId: UuidSchema }, closed);
