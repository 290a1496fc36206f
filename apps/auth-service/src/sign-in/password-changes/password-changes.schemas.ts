import { Type } from 'typebox';
import { EmailSchema, LinkTokenSchema, PasswordSchema, SuccessAnswer } from '../../ground/index.ts';
import { IssuedSessionSchema } from '../../sessions/index.ts';

const closed = { additionalProperties: false } as const;

export const ChangePasswordBody = Type.Object(
  { currentPassword: PasswordSchema, newPassword: PasswordSchema },
  closed,
);
/** The session as it goes on. */
export const ChangedPasswordAnswer = Type.Object(
  { ...SuccessAnswer.properties, session: IssuedSessionSchema },
  closed,
);
export const ForgotPasswordBody = Type.Object({ email: EmailSchema }, closed);
export const ResetPasswordBody = Type.Object(
  {
    token: LinkTokenSchema,
    newPassword: PasswordSchema,
  },
  closed,
);

/** Nothing, or the password: a user without a second factor who did not just sign in must give it. */
export const RemovePasswordBody = Type.Union([
  Type.Object({ password: Type.Optional(PasswordSchema) }, closed),
  Type.Null(),
]);
