import type { Role } from '@tenantry/jwt-verify';
import { Type } from 'typebox';
import { roles } from './member-rules.ts';

const closed = { additionalProperties: false } as const;
const UuidSchema = Type.String({ format: 'uuid' });

/** A role of a member. */
export const RoleSchema = Type.Unsafe<Role>({ type: 'string', enum: [...roles] });

/** Which part of a list is wanted. */
export const PageQuerySchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1, default: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  },
  closed,
);

/** What every list says of itself. */
export const pageProperties = {
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  pageSize: Type.Integer({ minimum: 1 }),
};

/** The path of what belongs to one organization. */
export const OrganizationPath = Type.Object({ organizationId: UuidSchema }, closed);

/** The path of one member. */
export const MemberPath = Type.Object({ organizationId: UuidSchema, userId: UuidSchema }, closed);

export const ChangeRoleBody = Type.Object({ role: RoleSchema }, closed);

const MemberSchema = Type.Object(
  {
    userId: UuidSchema,
    name: Type.String({ description: 'display text' }),
    email: Type.String(),
    role: RoleSchema,
    createdAt: Type.String({ format: 'date-time', description: 'when the user became a member' }),
  },
  closed,
);

export const MemberAnswer = Type.Object({ member: MemberSchema }, closed);

export const MemberListAnswer = Type.Object({ members: Type.Array(MemberSchema), ...pageProperties }, closed);
