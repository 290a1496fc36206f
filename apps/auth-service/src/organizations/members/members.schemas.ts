import { ClosedObject, LineOf, PageQueryOf, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { pageProperties, RoleSchema } from '../../ground/index.ts';
/** The path of one member. */
export const MemberPath = ClosedObject({ organizationId: Uuid(), userId: Uuid() });

export const ChangeRoleBody = ClosedObject({ role: RoleSchema }, { examples: [{ role: 'admin' }] });

const MemberSchema = ClosedObject(
  {
    userId: Uuid(),
    name: Type.String({ description: 'display text' }),
    email: Type.String(),
    role: RoleSchema,
    disabled: Type.Boolean({ description: 'the account cannot sign in' }),
    twoFactor: Type.Optional(
      Type.Boolean({ description: 'can sign in with two factors; shown to those who may change members' }),
    ),
    createdAt: Type.String({ format: 'date-time', description: 'when the user became a member' }),
  },
  { title: 'Member' },
);

export const MemberAnswer = ClosedObject({ member: MemberSchema });

export const MemberListQuery = PageQueryOf({
  search: Type.Optional(
    LineOf(254, { description: 'any part of name or e-mail address; case and accents do not matter' }),
  ),
  twoFactor: Type.Optional(
    Type.Enum(['on', 'off'], {
      description: 'members who have, or lack, two-factor authentication; needs `members:write`',
    }),
  ),
});

export const MemberListAnswer = ClosedObject({ members: Type.Array(MemberSchema), ...pageProperties });
