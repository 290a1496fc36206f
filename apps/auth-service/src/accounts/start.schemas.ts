import { reasonsOf } from '@tenantry/service/failures';
import { ClosedObject, Nullable } from '@tenantry/service/resources';
import { Type, type Static } from 'typebox';
import { OrganizationListItem, PermissionSchema } from '../organizations/index.ts';
import { CurrentSessionAnswer } from '../sessions/index.ts';
import { SignInOfferSchema, TwoFactorStateSchema } from '../sign-in/index.ts';
import { ProfileSchema } from './profile.schemas.ts';

const { session, organization } = CurrentSessionAnswer.properties;

/** What a sign-up page needs to know in advance. */
const SignUpRules = ClosedObject(
  {
    passwordMinLength: Type.Integer({ minimum: 1 }),
    emailVerificationRequired: Type.Boolean({
      description: 'addresses must be confirmed by a mailed link before the first sign-in',
    }),
  },
  { title: 'SignUpRules' },
);

const csrfToken = Type.String({
  description: 'of a session in cookies: send it as X-CSRF-Token with every request that changes something',
});

const Reason = Type.Enum([...reasonsOf('UNAUTHENTICATED'), 'SESSION_ADDRESS_CHANGED'], {
  description: 'why you are not signed in, like the reason of a 401',
});

/** Why a caller is not signed in. */
export type SignedOutReason = Static<typeof Reason>;

const signedOut = {
  user: Type.Null(),
  session: Type.Null(),
  organization: Type.Null(),
  organizations: Type.Array(OrganizationListItem, { maxItems: 0 }),
  permissions: Type.Array(PermissionSchema, { maxItems: 0 }),
  twoFactor: Type.Null(),
  signIn: SignInOfferSchema,
  signUp: SignUpRules,
};

/** The response for the first page of a front end. */
export const StartAnswer = Type.Union(
  [
    ClosedObject(
      {
        status: Type.Literal('signed-in'),
        reason: Type.Null(),
        csrfToken: Nullable(csrfToken),
        user: ProfileSchema,
        session,
        organization,
        organizations: Type.Array(OrganizationListItem),
        permissions: Type.Array(PermissionSchema, {
          description: 'what your role may do in the active organization',
        }),
        twoFactor: TwoFactorStateSchema,
        signIn: SignInOfferSchema,
        signUp: SignUpRules,
      },
      { title: 'SignedInStart' },
    ),
    ClosedObject(
      {
        status: Type.Literal('renewable', {
          description: 'POST /api/auth/refresh continues the session',
        }),
        reason: Reason,
        csrfToken,
        ...signedOut,
      },
      { title: 'RenewableStart' },
    ),
    ClosedObject(
      { status: Type.Literal('signed-out'), reason: Reason, csrfToken: Type.Null(), ...signedOut },
      { title: 'SignedOutStart' },
    ),
  ],
  { title: 'Start' },
);
