import { Type } from 'typebox';
import { EmailSchema, NameSchema, PasswordSchema } from '../ground/index.ts';

const closed = { additionalProperties: false } as const;
const UuidSchema = Type.String({ format: 'uuid' });
const request = { organizationId: UuidSchema, actorUserId: UuidSchema };

export const NewAccountBody = Type.Object(
  { ...request, email: EmailSchema, password: PasswordSchema, name: NameSchema },
  closed,
);
export const RenameBody = Type.Object({ ...request, name: NameSchema }, closed);
export const RemoveQuery = Type.Object(request, closed);
export const AccountPath = Type.Object({ id: UuidSchema }, closed);

export const AccountAnswer = Type.Object(
  {
    user: Type.Object(
      {
        id: UuidSchema,
        email: Type.String(),
        name: Type.String(),
        createdAt: Type.String({ format: 'date-time' }),
      },
      closed,
    ),
  },
  closed,
);
