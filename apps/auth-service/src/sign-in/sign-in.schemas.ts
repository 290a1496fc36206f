import { ClosedObject, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { EmailSchema, PasswordSchema } from '../ground/index.ts';
import { IssuedSessionSchema } from '../sessions/index.ts';
import { MethodsSchema } from './second-factors/second-factors.schemas.ts';

export const SignInBody = ClosedObject({ email: EmailSchema, password: PasswordSchema });

const SignedInAnswer = ClosedObject(
  {
    user: ClosedObject({
      id: Uuid(),
      email: Type.String(),
      name: Type.String(),
      organizationId: Type.Union([Uuid(), Type.Null()]),
    }),
    session: IssuedSessionSchema,
  },
  { title: 'SignedIn' },
);

/** What every way of signing in does with a session that comes along. */
export const continuing =
  'If you send the access token or cookies of a live session of the same device, the new session replaces it: do so ' +
  'after SIGN_IN_REQUIRED.';

/** The response to a correct password that a second factor must follow. */
const ChallengeAnswer = ClosedObject({
  twoFactorRequired: Type.Literal(true),
  challenge: ClosedObject(
    {
      token: Type.String({
        description: 'pass it to /two-factor/verify-totp, /verify-passkey or /verify-backup-code',
      }),
      expiresAt: Timestamp(),
      methods: MethodsSchema,
    },
    { title: 'Challenge' },
  ),
});

export const SignInAnswer = Type.Union([SignedInAnswer, ChallengeAnswer]);

/** Of a finished sign-in, or of a session that was stepped up. */
export const VerifyAnswer = Type.Union([
  SignedInAnswer,
  ClosedObject({ verified: Type.Literal(true), session: IssuedSessionSchema }),
]);
