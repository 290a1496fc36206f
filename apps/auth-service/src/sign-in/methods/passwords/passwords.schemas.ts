import { Type } from 'typebox';
import { EmailSchema, PasswordSchema } from '../../../sessions/sessions.schemas.ts';

const closed = { additionalProperties: false } as const;

export const ChangePasswordBody = Type.Object(
  { currentPassword: PasswordSchema, newPassword: PasswordSchema },
  closed,
);
export const ForgotPasswordBody = Type.Object({ email: EmailSchema }, closed);
export const ResetPasswordBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 200, description: 'from the mailed link' }),
    newPassword: PasswordSchema,
  },
  closed,
);

/** It is done; and what to do next. */
export const SuccessAnswer = Type.Object({ success: Type.Literal(true), message: Type.String() }, closed);
