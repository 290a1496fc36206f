import { ClosedObject, Nullable, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { deviceProperties, MembershipSchema, UserSchema } from '../ground/index.ts';

/** Longer tokens than ours are treated like any unknown token. */
export const RefreshTokenSchema = Type.String({ minLength: 1, maxLength: 1_024 });

/** An organization whose requirements its member does not meet. */
const OrganizationRefusedSchema = ClosedObject(
  {
    organizationId: Uuid(),
    reason: Type.Enum(['SSO_REQUIRED', 'TWO_FACTOR_REQUIRED'], {
      description:
        '`SSO_REQUIRED`: sign in through the organization, with POST /api/auth/sign-in/sso and its slug; `TWO_FACTOR_REQUIRED`: turn ' +
        'two-factor authentication on for your account, then switch to the organization',
    }),
  },
  {
    title: 'OrganizationRefused',
    description: 'the organization that would be active, and why it is not; absent if you have access',
    examples: [{ organizationId: '01890a5d-ac96-774b-bcce-b302099a8057', reason: 'TWO_FACTOR_REQUIRED' }],
  },
);

/** A session in every response that starts or renews one. */
export const IssuedSessionSchema = ClosedObject(
  {
    id: Uuid(),
    token: Type.String({ description: 'the access token, a JWT' }),
    expiresAt: Type.String({ format: 'date-time', description: 'when the session expires' }),
    tokenExpiresAt: Type.String({ format: 'date-time', description: 'when the access token expires' }),
    refreshToken: Type.Optional(
      Type.String({ description: 'for POST /api/auth/refresh; a browser has it as a cookie instead' }),
    ),
    csrfToken: Type.Optional(
      Type.String({
        description: 'for a browser: send it as X-CSRF-Token with every request that changes something',
      }),
    ),
    organizationRefused: Type.Optional(OrganizationRefusedSchema),
  },
  { title: 'IssuedSession' },
);

/** Empty, or the refresh token of a client without cookies. */
export const SignOutBody = Type.Union([
  ClosedObject({ refreshToken: Type.Optional(RefreshTokenSchema) }),
  Type.Null(),
]);

export const SignOutAnswer = ClosedObject({ success: Type.Literal(true) });

/** A session that continues as it is. */
const CurrentSessionSchema = ClosedObject(
  {
    id: Uuid(),
    createdAt: Timestamp(),
    expiresAt: Timestamp(),
    tokenExpiresAt: Timestamp(),
    organizationRefused: Type.Optional(OrganizationRefusedSchema),
    confinedTo: Type.Optional(
      Uuid({
        description:
          'the only organization that the session reaches, whose identity provider has started it; anything else is 403 ' +
          'SIGN_IN_REQUIRED; absent after a sign-in of your own',
      }),
    ),
  },
  { title: 'CurrentSession' },
);

/** Without the token: scripts in a browser must not read the contents of its HttpOnly cookie. */
export const CurrentSessionAnswer = ClosedObject({
  user: UserSchema,
  session: CurrentSessionSchema,
  organization: Type.Union([MembershipSchema, Type.Null()]),
});

export const SessionListAnswer = ClosedObject({
  sessions: Type.Array(
    ClosedObject(
      {
        id: Uuid(),
        current: Type.Boolean(),
        device: Type.String({ description: 'what the device calls itself; display text' }),
        ...deviceProperties,
        ipAddress: Type.Union([Type.String(), Type.Null()]),
        createdAt: Timestamp(),
        lastActiveAt: Timestamp(),
        expiresAt: Timestamp(),
        organizationId: Type.Union([Uuid(), Type.Null()]),
        confinedTo: Nullable(
          Uuid({ description: 'the only organization that it reaches; null after a sign-in of your own' }),
        ),
        connectionId: Nullable(
          Uuid({ description: 'the connection of that organization by which it began; null as well' }),
        ),
      },
      { title: 'Session' },
    ),
  ),
});

export const RefreshBody = ClosedObject({
  refreshToken: Type.Optional(RefreshTokenSchema),
  organizationId: Type.Optional(Uuid()),
});

export const RefreshAnswer = ClosedObject({ session: IssuedSessionSchema });

export const CsrfAnswer = ClosedObject({ token: Type.String() });

export const EndSessionsQuery = ClosedObject({
  scope: Type.Enum(['others', 'all'], { description: 'whether the current session ends too' }),
});

export const EndSessionsAnswer = ClosedObject({
  revoked: Type.Integer({ minimum: 0, description: 'how many sessions ended' }),
});
