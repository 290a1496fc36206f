import { Type } from 'typebox';
import { EmailSchema, PasswordSchema } from '../ground/index.ts';

const closed = { additionalProperties: false } as const;

export const VerifyEmailBody = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'from the mailed link',
      examples: ['the token of the link'],
    }),
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
