import { Timestamp, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { EmailSchema, LinkTokenSchema, NameSchema } from '../../../ground/index.ts';

const closed = { additionalProperties: false } as const;

export const RequestBody = Type.Object(
  {
    email: EmailSchema,
    name: Type.Optional(NameSchema),
    invitationToken: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'the token of a mailed invitation, by which an account may begin',
        examples: ['the token of the link'],
      }),
    ),
  },
  closed,
);

export const RequestAnswer = Type.Object(
  {
    request: Type.Object({ id: Uuid(), expiresAt: Timestamp() }, closed),
  },
  closed,
);

export const VerifyBody = Type.Union([
  Type.Object(
    {
      token: LinkTokenSchema,
    },
    closed,
  ),
  Type.Object(
    {
      requestId: Uuid(),
      code: Type.String({
        pattern: '^[0-9]{8}$',
        messages: { pattern: 'must be 8 digits' },
        description: 'the code of the letter; spaces do not matter',
        examples: ['12345678'],
      }),
    },
    closed,
  ),
]);
