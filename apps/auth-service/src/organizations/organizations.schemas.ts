import { DecimalOf, LineOf, Nullable, Timestamp, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { MembershipSchema, PasswordSchema, RoleSchema } from '../ground/index.ts';
import { IssuedSessionSchema, RefreshTokenSchema } from '../sessions/index.ts';
import { PermissionSchema } from './permissions.ts';
import { slugPattern, slugRule } from './slug.ts';

const closed = { additionalProperties: false } as const;

/** Shown on one line in mails, lists and tokens. */
const OrganizationName = LineOf(100, { examples: ['Analytical Engines'] });

const OrganizationSlug = Type.String({
  pattern: slugPattern,
  messages: { pattern: slugRule },
  description: '3 to 48 of a-z, 0-9 and inner hyphens',
  examples: ['analytical-engines'],
});

export const CreateOrganizationBody = Type.Object({ name: OrganizationName, slug: OrganizationSlug }, closed);

/** Another slug, where that of a deleted organization has been taken. */
export const RestoreBody = Type.Object({ slug: Type.Optional(OrganizationSlug) }, closed);

export const CreateOrganizationAnswer = Type.Object(
  {
    organization: Type.Object(
      {
        id: Uuid(),
        name: Type.String(),
        slug: Type.String(),
        createdAt: Timestamp(),
      },
      closed,
    ),
  },
  closed,
);

const settings = {
  defaultCurrency: Type.String({
    pattern: '^[A-Z]{3}$',
    messages: { pattern: 'must be the ISO 4217 code of a currency, such as EUR' },
    description: 'ISO 4217',
    examples: ['SEK'],
  }),
  vatRate: DecimalOf(2, { minimum: 0, maximum: 100, description: 'percent, at most two decimals' }),
  quoteNumberPrefix: Type.String({
    pattern: '^[A-Z0-9](?:[A-Z0-9-]{0,8}[A-Z0-9])?$',
    messages: { pattern: 'must be 1 to 10 characters of A to Z, 0 to 9 and inner hyphens' },
    description: 'what quote numbers begin with, as in Q-2026-0001',
  }),
  requireTwoFactor: Type.Boolean({
    description: 'members without a second factor get no token for the organization',
  }),
  timeZone: LineOf(64, {
    description: 'IANA name of the time zone in which its days begin and end',
    examples: ['Europe/Stockholm'],
  }),
  address: Nullable(
    Type.Object(
      {
        lines: Type.Array(LineOf(100), { minItems: 1, maxItems: 3, description: 'street, box or building' }),
        postalCode: LineOf(20, { minLength: 0, description: 'empty where the country has none' }),
        city: LineOf(100),
        country: Type.String({
          pattern: '^[A-Z]{2}$',
          messages: { pattern: 'must be two capital letters' },
          description: 'ISO 3166-1 alpha-2',
          examples: ['SE'],
        }),
      },
      { ...closed, title: 'PostalAddress' },
    ),
  ),
  vatNumber: Nullable(
    LineOf(30, {
      description: 'with its country code; spaces, dots and hyphens are left out',
      examples: ['SE556012579001'],
    }),
  ),
};

/** What an organization decides for its members and its quotes. */
export const OrganizationSettingsSchema = Type.Object(settings, { ...closed, title: 'OrganizationSettings' });

export const OrganizationAnswer = Type.Object(
  {
    organization: Type.Object(
      {
        ...MembershipSchema.properties,
        settings: OrganizationSettingsSchema,
        logo: Nullable(Type.String({ description: 'SHA-256 of its logo, hexadecimal' })),
      },
      { ...closed, title: 'Organization' },
    ),
  },
  closed,
);

/** With a session where the change has revoked the token that it was asked with. */
export const ChangedOrganizationAnswer = Type.Object(
  {
    ...OrganizationAnswer.properties,
    session: Type.Optional(IssuedSessionSchema),
  },
  closed,
);

/** Omitted fields are unchanged. */
export const ChangeOrganizationBody = Type.Object(
  {
    name: Type.Optional(OrganizationName),
    settings: Type.Optional(
      Type.Object(
        {
          defaultCurrency: Type.Optional(settings.defaultCurrency),
          vatRate: Type.Optional(settings.vatRate),
          quoteNumberPrefix: Type.Optional(settings.quoteNumberPrefix),
          requireTwoFactor: Type.Optional(settings.requireTwoFactor),
          timeZone: Type.Optional(settings.timeZone),
          address: Type.Optional(settings.address),
          vatNumber: Type.Optional(settings.vatNumber),
        },
        { ...closed, minProperties: 1 },
      ),
    ),
  },
  { ...closed, minProperties: 1 },
);

/** Nothing, or the password: a user without a second factor who did not just sign in must give it. */
export const DeleteOrganizationBody = Type.Union([
  Type.Object({ password: Type.Optional(PasswordSchema) }, closed),
  Type.Null(),
]);

export const SwitchOrganizationBody = Type.Object(
  {
    organizationId: Uuid(),
    refreshToken: Type.Optional(RefreshTokenSchema),
  },
  closed,
);

export const SwitchOrganizationAnswer = Type.Object({ session: IssuedSessionSchema }, closed);

/** One of the caller's organizations. */
export const OrganizationListItem = Type.Object(
  {
    ...MembershipSchema.properties,
    active: Type.Boolean(),
    twoFactorRequired: Type.Boolean({ description: 'every member needs two-factor authentication' }),
    accessible: Type.Boolean({
      description: 'false while your account lacks the two-factor authentication that it requires',
    }),
  },
  { ...closed, title: 'OrganizationListItem' },
);

export const OrganizationListAnswer = Type.Object(
  { organizations: Type.Array(OrganizationListItem) },
  closed,
);

const PermissionListSchema = Type.Array(PermissionSchema);

export const PermissionsAnswer = Type.Object(
  {
    role: Nullable(RoleSchema),
    permissions: PermissionListSchema,
    roles: Type.Object(
      { owner: PermissionListSchema, admin: PermissionListSchema, member: PermissionListSchema },
      { ...closed, description: 'what every role carries' },
    ),
  },
  closed,
);
