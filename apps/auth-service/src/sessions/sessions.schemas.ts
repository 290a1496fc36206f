import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;
const TimestampSchema = Type.String({ format: 'date-time' });
const UuidSchema = Type.String({ format: 'uuid' });

/** An e-mail address; {@link tidyBody} trims and lower-cases it before it is checked. */
export const EmailSchema = Type.String({ format: 'email' });

/** A password of any length; the policy for new ones is a rule of its own. */
export const PasswordSchema = Type.String({ minLength: 1 });

/** A user in an answer. */
export const UserSchema = Type.Object({ id: UuidSchema, email: Type.String(), name: Type.String() }, closed);

/** A session in every answer that starts or renews one. */
export const IssuedSessionSchema = Type.Object(
  {
    id: UuidSchema,
    token: Type.String({ description: 'the access token, a JWT' }),
    expiresAt: Type.String({ format: 'date-time', description: 'when the session ends' }),
    tokenExpiresAt: Type.String({ format: 'date-time', description: 'when the access token ends' }),
    refreshToken: Type.Optional(
      Type.String({ description: 'for POST /api/auth/refresh; a browser has it as a cookie instead' }),
    ),
  },
  closed,
);

/** An organization as one of its members sees it. */
export const MembershipSchema = Type.Object(
  {
    id: UuidSchema,
    name: Type.String(),
    slug: Type.String(),
    createdAt: TimestampSchema,
    role: Type.String(),
  },
  closed,
);

export const SignInBody = Type.Object({ email: EmailSchema, password: PasswordSchema }, closed);

export const SignedInAnswer = Type.Object(
  {
    user: Type.Object(
      {
        id: UuidSchema,
        email: Type.String(),
        name: Type.String(),
        organizationId: Type.Union([UuidSchema, Type.Null()]),
      },
      closed,
    ),
    session: IssuedSessionSchema,
  },
  closed,
);

/** The answer to a right password that a second factor must follow. */
export const ChallengeAnswer = Type.Object(
  {
    twoFactorRequired: Type.Literal(true),
    challenge: Type.Object(
      {
        token: Type.String({ description: 'give it to /two-factor/verify-totp or /verify-backup-code' }),
        expiresAt: TimestampSchema,
        methods: Type.Array(Type.Enum(['totp', 'backup-code'])),
      },
      closed,
    ),
  },
  closed,
);

export const SignInAnswer = Type.Union([SignedInAnswer, ChallengeAnswer]);

export const SignOutAnswer = Type.Object({ success: Type.Literal(true) }, closed);

/** The token is not in it: a browser's script must not read what its HttpOnly cookie holds. */
export const CurrentSessionAnswer = Type.Object(
  {
    user: UserSchema,
    session: Type.Object(
      {
        id: UuidSchema,
        createdAt: TimestampSchema,
        expiresAt: TimestampSchema,
        tokenExpiresAt: TimestampSchema,
      },
      closed,
    ),
    organization: Type.Union([MembershipSchema, Type.Null()]),
  },
  closed,
);

export const SessionListAnswer = Type.Object(
  {
    sessions: Type.Array(
      Type.Object(
        {
          id: UuidSchema,
          current: Type.Boolean(),
          device: Type.String({ description: 'what the device calls itself; display text' }),
          ipAddress: Type.Union([Type.String(), Type.Null()]),
          createdAt: TimestampSchema,
          lastActiveAt: TimestampSchema,
          expiresAt: TimestampSchema,
          organizationId: Type.Union([UuidSchema, Type.Null()]),
        },
        closed,
      ),
    ),
  },
  closed,
);

export const SessionParams = Type.Object({ id: UuidSchema }, closed);

/** A token longer than any of ours is unknown like any other. */
export const RefreshBody = Type.Object(
  {
    refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 1_024 })),
    organizationId: Type.Optional(UuidSchema),
  },
  closed,
);

export const RefreshAnswer = Type.Object({ session: IssuedSessionSchema }, closed);

export const CsrfAnswer = Type.Object({ token: Type.String() }, closed);

/** Nothing, or what a sensitive operation asks for. */
export const EndSessionsBody = Type.Union([
  Type.Object({ password: Type.Optional(PasswordSchema) }, closed),
  Type.Null(),
]);

export const EndSessionsQuery = Type.Object(
  { scope: Type.Enum(['others', 'all'], { description: 'whether the current session ends too' }) },
  closed,
);

export const EndSessionsAnswer = Type.Object(
  { revoked: Type.Integer({ minimum: 0, description: 'how many sessions ended' }) },
  closed,
);
