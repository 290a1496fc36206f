import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { EmailSchema, LinkTokenSchema, OwnPassword } from '../ground/index.ts';

export const VerifyEmailBody = ClosedObject({
  token: LinkTokenSchema,
});
export const ResendVerificationBody = ClosedObject({ email: EmailSchema });

/** A user without a second factor who did not just sign in must give the password. */
export const ChangeEmailBody = ClosedObject({
  newEmail: EmailSchema,
  password: OwnPassword,
});

export const VerifiedAnswer = ClosedObject({
  success: Type.Literal(true),
  email: Type.String(),
  resetToken: Type.Optional(
    Type.String({
      description:
        'for POST /api/auth/password/reset, within an hour: the link was followed on another device than the one that signed ' +
        'up, so the account has no password any more',
    }),
  ),
});
