import { Type } from 'typebox';
import { IssuedSessionSchema, MembershipSchema } from '../sessions/sessions.schemas.ts';

const closed = { additionalProperties: false } as const;

export const CreateOrganizationBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    slug: Type.String({ description: '3 to 48 of a-z, 0-9 and inner hyphens' }),
  },
  closed,
);

export const CreateOrganizationAnswer = Type.Object(
  {
    organization: Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        name: Type.String(),
        slug: Type.String(),
        createdAt: Type.String({ format: 'date-time' }),
      },
      closed,
    ),
  },
  closed,
);

export const SwitchOrganizationBody = Type.Object(
  { organizationId: Type.String({ format: 'uuid' }) },
  closed,
);

export const SwitchOrganizationAnswer = Type.Object({ session: IssuedSessionSchema }, closed);

export const OrganizationListAnswer = Type.Object(
  {
    organizations: Type.Array(
      Type.Object({ ...MembershipSchema.properties, active: Type.Boolean() }, closed),
    ),
  },
  closed,
);

const PermissionListSchema = Type.Array(Type.String({ examples: ['leads:write'] }));

export const PermissionsAnswer = Type.Object(
  {
    role: Type.Union([Type.String(), Type.Null()], { description: "the caller's role" }),
    permissions: PermissionListSchema,
    roles: Type.Record(Type.String(), PermissionListSchema, { description: 'what every role carries' }),
  },
  closed,
);
