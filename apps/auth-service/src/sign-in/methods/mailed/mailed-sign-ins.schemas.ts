import { ClosedObject, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { EmailSchema, LinkTokenSchema, NameSchema } from '../../../ground/index.ts';

export const RequestBody = ClosedObject({
  email: EmailSchema,
  name: Type.Optional(NameSchema),
  invitationToken: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      description: 'the token of a mailed invitation, to create an account',
      examples: ['the token of the link'],
    }),
  ),
});

export const RequestAnswer = ClosedObject({
  request: ClosedObject({ id: Uuid(), expiresAt: Timestamp() }),
});

export const VerifyBody = Type.Union([
  ClosedObject({
    token: LinkTokenSchema,
  }),
  ClosedObject({
    requestId: Uuid(),
    code: Type.String({
      pattern: '^[0-9]{8}$',
      messages: { pattern: 'must be 8 digits' },
      description: 'the code from the e-mail; spaces do not matter',
      examples: ['12345678'],
    }),
  }),
]);
