import { Nullable } from '@tenantry/service-kit';
import { Type } from 'typebox';
import { OrganizationListItem } from '../organizations/index.ts';
import { CurrentSessionAnswer } from '../sessions/index.ts';
import { SignInOfferSchema, TwoFactorStateSchema } from '../sign-in/index.ts';

const { user, session, organization } = CurrentSessionAnswer.properties;

/** All that the first page of a front end asks for. */
export const StartAnswer = Type.Object(
  {
    status: Type.Enum(['signed-in', 'renewable', 'signed-out'], {
      description: 'renewable: POST /api/auth/refresh continues the session',
    }),
    reason: Nullable(
      Type.String({
        description: 'why you are not signed in, as a refusal with 401 says it; null where you are',
        examples: ['TOKEN_EXPIRED'],
      }),
    ),
    csrfToken: Nullable(
      Type.String({
        description:
          'of a session in cookies: send it as X-CSRF-Token with every request that changes something',
      }),
    ),
    user: Nullable(user),
    session: Nullable(session),
    organization,
    organizations: Type.Array(OrganizationListItem),
    permissions: Type.Array(Type.String({ examples: ['leads:write'] }), {
      description: 'what your role may do in the active organization',
    }),
    twoFactor: Nullable(TwoFactorStateSchema),
    signIn: SignInOfferSchema,
  },
  { additionalProperties: false, title: 'Start' },
);
