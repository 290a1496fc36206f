import { ClosedObject } from '@tenantry/service/resources';
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
