import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { EmailSchema, NameSchema, PasswordSchema, UserSchema } from '../ground/index.ts';
import { InvitationTokenSchema } from '../organizations/index.ts';
import { IssuedSessionSchema } from '../sessions/index.ts';
import { Language, TimeZone } from './profile.schemas.ts';

export const SignUpBody = ClosedObject(
  {
    email: EmailSchema,
    password: PasswordSchema,
    name: NameSchema,
    organizationName: Type.Optional({
      ...NameSchema,
      description:
        'of the organization that comes with the account, which is named after its owner otherwise',
      examples: ['Analytical Engines'],
    }),
    invitationToken: Type.Optional(InvitationTokenSchema),
    language: Type.Optional(Language),
    timeZone: Type.Optional(TimeZone),
  },
  {
    examples: [{ email: 'ada@example.com', password: 'correct horse battery', name: 'Ada Lovelace' }],
  },
);

/** If the address must be confirmed first, there is no session, and the response does not reveal whether it was taken. */
export const SignUpAnswer = ClosedObject({
  user: UserSchema,
  session: Type.Optional(IssuedSessionSchema),
  emailVerificationRequired: Type.Optional(
    Type.Literal(true, { description: 'follow the link in the mail, then sign in' }),
  ),
});
