import { permissions } from '@tenantry/contracts';
import {
  ClosedObject,
  DecimalOf,
  LineOf,
  Nullable,
  optional,
  Timestamp,
  Uuid,
} from '@tenantry/service/resources';
import { Type } from 'typebox';
import { MembershipSchema, RoleSchema } from '../ground/index.ts';
import { IssuedSessionSchema, RefreshTokenSchema } from '../sessions/index.ts';
import { slugPattern, slugRule } from './slug.ts';

/** Shown on one line in mails, lists and tokens. */
const OrganizationName = LineOf(100, { examples: ['Analytical Engines'] });

const OrganizationSlug = Type.String({
  pattern: slugPattern,
  messages: { pattern: slugRule },
  description: '3 to 48 of a-z, 0-9 and inner hyphens',
  examples: ['analytical-engines'],
});

export const CreateOrganizationBody = ClosedObject({ name: OrganizationName, slug: OrganizationSlug });

/** A new slug, if that of the deleted organization has been taken. */
export const RestoreBody = ClosedObject({ slug: Type.Optional(OrganizationSlug) });

export const CreateOrganizationAnswer = ClosedObject({
  organization: ClosedObject({
    id: Uuid(),
    name: Type.String(),
    slug: Type.String(),
    createdAt: Timestamp(),
  }),
});

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
    description: 'prefix of quote numbers, as in Q-2026-0001',
  }),
  requireTwoFactor: Type.Boolean({
    description: 'members without a second factor get no token for the organization',
  }),
  timeZone: LineOf(64, {
    description: 'IANA name of the time zone in which its days begin and end',
    examples: ['Europe/Stockholm'],
  }),
  address: Nullable(
    ClosedObject(
      {
        lines: Type.Array(LineOf(100), { minItems: 1, maxItems: 3, description: 'street, box or building' }),
        postalCode: LineOf(20, { minLength: 0, description: 'empty if the country has none' }),
        city: LineOf(100),
        country: Type.String({
          pattern: '^[A-Z]{2}$',
          messages: { pattern: 'must be two capital letters' },
          description: 'ISO 3166-1 alpha-2',
          examples: ['SE'],
        }),
      },
      { title: 'PostalAddress' },
    ),
  ),
  vatNumber: Nullable(
    LineOf(30, {
      description: 'with its country code; spaces, dots and hyphens are removed',
      examples: ['SE556012579001'],
    }),
  ),
};

/** The settings of an organization for its members and quotes. */
export const OrganizationSettingsSchema = ClosedObject(settings, { title: 'OrganizationSettings' });

export const OrganizationAnswer = ClosedObject({
  organization: ClosedObject(
    {
      ...MembershipSchema.properties,
      settings: OrganizationSettingsSchema,
      logo: Nullable(Type.String({ description: 'SHA-256 of its logo, hexadecimal' })),
    },
    { title: 'Organization' },
  ),
});

/** How much of something there is, and how much there may be. */
const Amount = (options: Parameters<typeof ClosedObject>[1]) =>
  ClosedObject({ used: Type.Integer({ minimum: 0 }), quota: Type.Integer({ minimum: 1 }) }, options);

export const OrganizationUsageAnswer = ClosedObject({
  usage: ClosedObject(
    {
      people: Amount({
        title: 'PeopleAmount',
        description: 'members and open invitations',
        examples: [{ used: 12, quota: 10_000 }],
      }),
      serviceAccounts: Amount({ examples: [{ used: 2, quota: 20 }] }),
      domains: Amount({ description: 'also those that are not proven', examples: [{ used: 1, quota: 20 }] }),
      connections: Amount({
        description: 'to identity providers, whether or not they are on',
        examples: [{ used: 1, quota: 5 }],
      }),
      ownerConfirmed: Type.Boolean({
        description: 'whether an owner has confirmed an e-mail address; until then the quota is small',
        examples: [true],
      }),
    },
    { title: 'OrganizationUsage' },
  ),
});

/** With a session if the change has revoked the caller's token. */
export const ChangedOrganizationAnswer = ClosedObject({
  ...OrganizationAnswer.properties,
  session: Type.Optional(IssuedSessionSchema),
});

/** Omitted fields are unchanged. */
export const ChangeOrganizationBody = ClosedObject(
  {
    name: Type.Optional(OrganizationName),
    settings: Type.Optional(ClosedObject(optional(settings), { minProperties: 1 })),
  },
  { minProperties: 1 },
);

export const SwitchOrganizationBody = ClosedObject({
  organizationId: Uuid(),
  refreshToken: Type.Optional(RefreshTokenSchema),
});

export const SwitchOrganizationAnswer = ClosedObject({ session: IssuedSessionSchema });

/** One of the caller's organizations. */
export const OrganizationListItem = ClosedObject(
  {
    ...MembershipSchema.properties,
    active: Type.Boolean(),
    twoFactorRequired: Type.Boolean({ description: 'every member needs two-factor authentication' }),
    ssoRequired: Type.Boolean({
      description: 'it wants you to sign in through it: POST /api/auth/sign-in/sso with its slug',
    }),
    accessible: Type.Boolean({
      description:
        'false while you lack the two-factor authentication or the single sign-on that it requires',
    }),
  },
  { title: 'OrganizationListItem' },
);

export const OrganizationListAnswer = ClosedObject({ organizations: Type.Array(OrganizationListItem) });

/** The name of a permission. */
export const PermissionSchema = Type.Unsafe<string>({
  type: 'string',
  enum: [...permissions.owner],
  examples: ['leads:write'],
});

const PermissionListSchema = Type.Array(PermissionSchema);

export const PermissionsAnswer = ClosedObject({
  role: Nullable(RoleSchema),
  permissions: PermissionListSchema,
  roles: ClosedObject(
    { owner: PermissionListSchema, admin: PermissionListSchema, member: PermissionListSchema },
    { description: 'the permissions of each role' },
  ),
});
