import { Type } from 'typebox';
import { EmailSchema, PasswordSchema } from '../sessions/sessions.schemas.ts';

const closed = { additionalProperties: false } as const;

export const VerifyEmailBody = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200, description: 'from the mailed link' }) },
  closed,
);
export const ResendVerificationBody = Type.Object({ email: EmailSchema }, closed);

/** The password is asked of whoever has no second factor and did not sign in just now. */
export const ChangeEmailBody = Type.Object(
  { newEmail: EmailSchema, password: Type.Optional(PasswordSchema) },
  closed,
);

export const VerifiedAnswer = Type.Object({ success: Type.Literal(true), email: Type.String() }, closed);
