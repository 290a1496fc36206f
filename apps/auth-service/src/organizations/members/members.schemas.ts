import { LineOf, PageQueryOf, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { pageProperties, RoleSchema } from '../../ground/index.ts';
import type { Member } from './member.ts';

const closed = { additionalProperties: false } as const;

/** The path of one member. */
export const MemberPath = Type.Object({ organizationId: Uuid(), userId: Uuid() }, closed);

export const ChangeRoleBody = Type.Object({ role: RoleSchema }, { ...closed, examples: [{ role: 'admin' }] });

const MemberSchema = Type.Object(
  {
    userId: Uuid(),
    name: Type.String({ description: 'display text' }),
    email: Type.String(),
    role: RoleSchema,
    disabled: Type.Boolean({ description: 'nobody signs in to the account' }),
    twoFactor: Type.Optional(
      Type.Boolean({ description: 'can sign in with two factors; shown to those who may change members' }),
    ),
    createdAt: Type.String({ format: 'date-time', description: 'when the user became a member' }),
  },
  { ...closed, title: 'Member' },
);

/** A {@link Member} as colleagues see one: how a member signs in is the business of admins. */
export function colleagueAnswer({ userId, name, email, role, disabled, createdAt }: Member) {
  return { userId, name, email, role, disabled, createdAt };
}

export const MemberAnswer = Type.Object({ member: MemberSchema }, closed);

export const MemberListQuery = PageQueryOf({
  search: Type.Optional(
    LineOf(254, { description: 'any part of name or e-mail address; case and accents do not matter' }),
  ),
  twoFactor: Type.Optional(
    Type.Enum(['on', 'off'], {
      description: 'those who can sign in with two factors, or who cannot; needs `members:write`',
    }),
  ),
});

export const MemberListAnswer = Type.Object({ members: Type.Array(MemberSchema), ...pageProperties }, closed);
