import { Type } from 'typebox';
import { EmailSchema, LinkTokenSchema, PasswordSchema } from '../ground/index.ts';

const closed = { additionalProperties: false } as const;

export const VerifyEmailBody = Type.Object(
  {
    token: LinkTokenSchema,
  },
  closed,
);
export const ResendVerificationBody = Type.Object({ email: EmailSchema }, closed);

/** A user without a second factor who did not just sign in must give the password. */
export const ChangeEmailBody = Type.Object(
  { newEmail: EmailSchema, password: Type.Optional(PasswordSchema) },
  closed,
);

export const VerifiedAnswer = Type.Object({ success: Type.Literal(true), email: Type.String() }, closed);
