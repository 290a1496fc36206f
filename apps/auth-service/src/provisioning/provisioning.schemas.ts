import { LineOf, Nullable } from '@tenantry/service-kit';
import { Type } from 'typebox';
import { EmailSchema, PasswordSchema } from '../ground/index.ts';

const closed = { additionalProperties: false } as const;
const UuidSchema = Type.String({ format: 'uuid' });
const request = { organizationId: UuidSchema, actorUserId: UuidSchema };

// Room for a first and a last name of 50 characters each, with a blank between them.
const name = { name: LineOf(101), familyName: Type.Optional(Nullable(LineOf(50))) };

/** From where the user asks whose request the peer carries out. Peers of earlier versions do not say. */
export const CallerHeaders = Type.Object({
  'x-client-address': Type.Optional(Type.String({ maxLength: 64 })),
});

export const NewAccountBody = Type.Object(
  { ...request, ...name, email: EmailSchema, password: PasswordSchema },
  closed,
);
export const RenameBody = Type.Object(
  {
    ...request,
    ...name,
    expected: Type.Optional(
      Type.Object({ name: Type.String(), familyName: Nullable(Type.String()) }, closed),
    ),
  },
  closed,
);
export const AccountOfBody = Type.Object({ email: EmailSchema }, closed);
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
