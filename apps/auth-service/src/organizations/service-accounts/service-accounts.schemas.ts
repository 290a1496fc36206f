import { apiKeyPrefix } from '@tenantry/contracts';
import { ClosedObject, Nullable, optional, Timestamp, Uuid } from '@tenantry/service/resources';
import { LocatedTokens } from '@tenantry/service/tokens';
import { Type, type Static } from 'typebox';
import { NameSchema, OwnPassword } from '../../ground/index.ts';
import { MakerSchema } from '../makers.ts';

/** How keys are written. */
export const apiKeys = new LocatedTokens(apiKeyPrefix);

const RoleOfAccount = Type.Enum(['member', 'admin'], {
  description: 'no key of the account may do more',
});

/** The role of a service account. */
export type ServiceAccountRole = Static<typeof RoleOfAccount>;

const NameOfAccount = { ...NameSchema, examples: ['Nightly import'] };

export const ServiceAccountPath = ClosedObject({ organizationId: Uuid(), accountId: Uuid() });

export const ApiKeyPath = ClosedObject({ organizationId: Uuid(), accountId: Uuid(), keyId: Uuid() });

export const CreateServiceAccountBody = ClosedObject(
  { name: NameOfAccount, role: RoleOfAccount },
  { examples: [{ name: 'Nightly import', role: 'member' }] },
);

export const ChangeServiceAccountBody = ClosedObject(
  { ...optional({ name: NameOfAccount, role: RoleOfAccount }), password: OwnPassword },
  { examples: [{ name: 'Import of leads' }] },
);

/** The name of a permission, of a service here or of any other that verifies tokens. */
const PermissionName = Type.String({
  maxLength: 64,
  pattern: '^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$',
  messages: { pattern: 'must be the name of a permission, such as leads:read' },
  examples: ['leads:read'],
});

export const CreateApiKeyBody = ClosedObject(
  {
    name: { ...NameSchema, examples: ['Server in Uppsala'] },
    expiresAt: Timestamp({ description: 'at most a year ahead' }),
    permissions: Type.Optional(
      Type.Array(PermissionName, {
        minItems: 1,
        maxItems: 32,
        uniqueItems: true,
        description:
          'what the key may do; omitted: everything that the role of the account may, now and later',
      }),
    ),
    password: OwnPassword,
  },
  {
    examples: [
      { name: 'Server in Uppsala', expiresAt: '2027-06-30T12:00:00.000Z', permissions: ['leads:read'] },
    ],
  },
);

const ApiKeySchema = ClosedObject(
  {
    id: Uuid({ description: 'the `sid` of its tokens' }),
    name: Type.String({ description: 'display text', examples: ['Server in Uppsala'] }),
    ending: Type.String({ description: 'the last characters of the key', examples: ['x7Qf'] }),
    permissions: Nullable(
      Type.Array(Type.String(), { description: 'null for everything that the role of the account may' }),
    ),
    createdBy: MakerSchema,
    createdAt: Timestamp(),
    expiresAt: Timestamp(),
    lastUsedAt: Nullable(Timestamp({ description: 'to the hour; null if never' })),
  },
  { title: 'ApiKey' },
);

const ServiceAccountSchema = ClosedObject(
  {
    id: Uuid({ description: 'the `sub` of its tokens' }),
    name: Type.String({ description: 'display text', examples: ['Nightly import'] }),
    role: RoleOfAccount,
    createdBy: MakerSchema,
    createdAt: Timestamp(),
    keys: Type.Array(ApiKeySchema, {
      description: 'in order of creation; one that has expired stays for 30 days',
    }),
  },
  { title: 'ServiceAccount' },
);

export const ServiceAccountListAnswer = ClosedObject({ serviceAccounts: Type.Array(ServiceAccountSchema) });

export const ServiceAccountAnswer = ClosedObject({ serviceAccount: ServiceAccountSchema });

const KeySchema = Type.String({
  pattern: apiKeys.pattern,
  messages: { pattern: 'must be a key, which begins with tak_' },
  examples: [`tak_${'x'.repeat(86)}`],
});

export const CreatedApiKeyAnswer = ClosedObject({
  key: { ...KeySchema, description: 'shown this once: only its digest is stored' },
  apiKey: ApiKeySchema,
});

export const ServiceTokenBody = ClosedObject({ key: KeySchema });

export const ServiceTokenAnswer = ClosedObject({
  token: Type.String({
    description: 'an access token of the service account',
    examples: ['eyJhbGciOiJFUzI1NiIs…'],
  }),
  tokenExpiresAt: Timestamp({ description: 'at most 15 minutes ahead' }),
});
