import { ClosedObject } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { EmailSchema, LinkTokenSchema, PasswordSchema, SuccessAnswer } from '../../ground/index.ts';
import { IssuedSessionSchema } from '../../sessions/index.ts';

export const ChangePasswordBody = ClosedObject({
  currentPassword: PasswordSchema,
  newPassword: PasswordSchema,
});
/** The session as it continues. */
export const ChangedPasswordAnswer = ClosedObject({
  ...SuccessAnswer.properties,
  session: IssuedSessionSchema,
});
export const ForgotPasswordBody = ClosedObject({ email: EmailSchema });
export const ResetPasswordBody = ClosedObject({
  token: LinkTokenSchema,
  newPassword: PasswordSchema,
});

/** Nothing, or the password: a user without a second factor who did not just sign in must give it. */
export const RemovePasswordBody = Type.Union([
  ClosedObject({ password: Type.Optional(PasswordSchema) }),
  Type.Null(),
]);
