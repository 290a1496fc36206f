import { ClosedObject, LineOf, Nullable, optional, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { EmailSchema, NameSchema, OwnPassword } from '../ground/index.ts';
import { MakerSchema } from '../organizations/index.ts';
import { TicketBody, visitFields } from '../sign-in/index.ts';
import { kinds } from './openid/kinds.ts';

const KindSchema = Type.Enum([...kinds], {
  description: '`oidc` is any other provider of OpenID Connect',
});

const NameOfConnection = { ...NameSchema, examples: ['Okta of the company'] };

const Issuer = Type.String({
  minLength: 1,
  maxLength: 500,
  description:
    'an https:// URL of a public address; of Microsoft Entra ID https://login.microsoftonline.com/ followed by the id of the ' +
    'tenant and /v2.0, of Google https://accounts.google.com',
  examples: ['https://acme.okta.com'],
});

const ClientId = LineOf(255, { examples: ['0oa1b2c3d4'] });

const client = { issuer: Issuer, clientId: ClientId };

const ProvesSecondFactor = Type.Boolean({
  description:
    'declares that the identity provider asks everybody for a second factor: its sessions are of `aal2`',
});

export const ConnectionPath = ClosedObject({ organizationId: Uuid(), connectionId: Uuid() });

export const CreateConnectionBody = ClosedObject(
  { kind: KindSchema, name: NameOfConnection },
  { examples: [{ kind: 'okta', name: 'Okta of the company' }] },
);

export const ChangeConnectionBody = ClosedObject(
  {
    ...optional({
      name: NameOfConnection,
      ...client,
      clientSecret: Type.String({ minLength: 1, maxLength: 1_000, description: 'never given back' }),
      provesSecondFactor: ProvesSecondFactor,
      enabled: Type.Boolean({ description: 'one connection of an organization is on at most' }),
    }),
    password: OwnPassword,
  },
  {
    examples: [
      { issuer: 'https://acme.okta.com', clientId: '0oa1b2c3d4', clientSecret: 'the secret of the client' },
    ],
  },
);

const ConnectionSchema = ClosedObject(
  {
    id: Uuid(),
    kind: KindSchema,
    name: Type.String({ description: 'display text', examples: ['Okta of the company'] }),
    issuer: Nullable(Issuer),
    clientId: Nullable(ClientId),
    hasSecret: Type.Boolean(),
    provesSecondFactor: ProvesSecondFactor,
    enabled: Type.Boolean(),
    redirectUri: Type.String({
      description: 'to register at the identity provider',
      examples: ['https://api.example.com/api/auth/sso/…/callback'],
    }),
    people: Type.Integer({ description: 'members who have signed in or are linked' }),
    isLinked: Type.Boolean({ description: 'whether the caller has linked their own account there' }),
    createdBy: MakerSchema,
    createdAt: Timestamp(),
    usedAt: Nullable(Timestamp({ description: 'when somebody last signed in; null if nobody has' })),
  },
  { title: 'Connection' },
);

export const ConnectionAnswer = ClosedObject({ connection: ConnectionSchema });
export const ConnectionListAnswer = ClosedObject({ connections: Type.Array(ConnectionSchema) });

export const ConnectionTestAnswer = ClosedObject({
  test: ClosedObject({
    issuer: Issuer,
    authorizationEndpoint: Type.String({ examples: ['https://acme.okta.com/oauth2/v1/authorize'] }),
    signingKeys: Type.Integer({ description: 'how many keys it publishes to sign with' }),
  }),
});

export const LinkConnectionBody = ClosedObject({ ...visitFields, password: OwnPassword });
export const ConnectionIdentityBody = ClosedObject({ ...TicketBody.properties, password: OwnPassword });

export const SsoBody = Type.Union([
  ClosedObject({ email: EmailSchema, ...visitFields }),
  ClosedObject({
    slug: Type.String({
      minLength: 3,
      maxLength: 48,
      description: 'of the organization',
      examples: ['acme'],
    }),
    ...visitFields,
  }),
]);
