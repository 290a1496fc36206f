import { Type } from 'typebox';
import { InvitationTokenSchema } from '../organizations/invitations/invitations.schemas.ts';
import {
  EmailSchema,
  IssuedSessionSchema,
  PasswordSchema,
  UserSchema,
} from '../sessions/sessions.schemas.ts';

const closed = { additionalProperties: false } as const;

export const SignUpBody = Type.Object(
  {
    email: EmailSchema,
    password: PasswordSchema,
    name: Type.String({ minLength: 1, maxLength: 100 }),
    invitationToken: Type.Optional(InvitationTokenSchema),
  },
  closed,
);

/** Where an address has to be confirmed first, there is no session yet, and no telling whether it was taken. */
export const SignUpAnswer = Type.Object(
  {
    user: UserSchema,
    session: Type.Optional(IssuedSessionSchema),
    emailVerificationRequired: Type.Optional(
      Type.Literal(true, { description: 'follow the link in the mail, then sign in' }),
    ),
  },
  closed,
);

/** Nothing, or the password: it is asked of whoever has no second factor and did not sign in just now. */
export const EraseUserBody = Type.Union([
  Type.Object({ password: Type.Optional(PasswordSchema) }, closed),
  Type.Null(),
]);
