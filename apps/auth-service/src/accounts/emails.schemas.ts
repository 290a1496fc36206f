import { ClosedObject } from '@tenantry/service-kit/resources';
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

export const VerifiedAnswer = ClosedObject({ success: Type.Literal(true), email: Type.String() });
