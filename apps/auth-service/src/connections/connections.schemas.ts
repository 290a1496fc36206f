import { ClosedObject, LineOf, Nullable, optional, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { EmailSchema, NameSchema, OwnPassword } from '../ground/index.ts';
import { MakerSchema } from '../organizations/index.ts';
import { TicketBody, visitFields } from '../sign-in/index.ts';
import { arrivalCodes } from './arrivals/arrival-codes.ts';
import { kinds } from './kinds.ts';
import { certificatesMax } from './saml/certificates.ts';

const KindSchema = Type.Enum([...kinds], {
  description: '`oidc` is any other provider of OpenID Connect, `saml` any that speaks SAML 2.0',
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

const EntityId = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'the entity id of the identity provider, a URI',
  examples: ['https://idp.acme.com/saml'],
});

const SamlUrl = Type.String({ minLength: 1, maxLength: 500, examples: ['https://idp.acme.com/metadata'] });

const SsoUrl = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'where people sign in, by HTTP-Redirect',
  examples: ['https://idp.acme.com/sso'],
});

/** What an IdP gives: an address, a document, or its parts. */
const GivenSaml = Type.Union([
  ClosedObject({ metadataUrl: { ...SamlUrl, description: 'of its metadata, which is read again daily' } }),
  ClosedObject({
    metadata: Type.String({
      minLength: 1,
      maxLength: 50_000,
      description: 'its metadata, as XML',
      examples: ['<EntityDescriptor …'],
    }),
  }),
  ClosedObject({
    entityId: EntityId,
    ssoUrl: SsoUrl,
    certificates: Type.Array(
      Type.String({ minLength: 1, maxLength: 8_000, examples: ['-----BEGIN CERTIFICATE-----\n…'] }),
      {
        minItems: 1,
        maxItems: certificatesMax,
        description:
          'those that it signs with, in PEM or base64: RSA of 2048 bits or more, P-256 or P-384. While it moves from one to another, ' +
          'give both',
      },
    ),
  }),
]);

const SamlSchema = ClosedObject(
  {
    entityId: Type.String({
      description: 'of this service, to register at the identity provider; its metadata is at this address',
      examples: ['https://api.example.com/api/auth/sso/…/metadata'],
    }),
    ssoUrl: Nullable(SsoUrl),
    metadataUrl: Nullable(SamlUrl),
    readAt: Nullable(Timestamp({ description: 'when its metadata was last read or given' })),
    certificates: Type.Array(
      ClosedObject({
        fingerprint: Type.String({ description: 'SHA-256', examples: ['3F:9A:…'] }),
        subject: Type.String({ description: 'display text', examples: ['CN=idp.acme.com'] }),
        endsAt: Timestamp(),
      }),
    ),
  },
  { title: 'SamlConnection' },
);

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
      saml: GivenSaml,
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
    issuer: Nullable({ ...Issuer, description: 'of SAML, the entity id of the identity provider' }),
    clientId: Nullable(ClientId),
    hasSecret: Type.Boolean(),
    provesSecondFactor: ProvesSecondFactor,
    enabled: Type.Boolean(),
    saml: Nullable(SamlSchema),
    redirectUri: Type.String({
      description: 'to register at the identity provider: of SAML, the address that responses are posted to',
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

const ArrivalSchema = ClosedObject(
  {
    kind: Type.Enum(['sign-in', 'directory'], { description: 'a sign-in, or a request of the directory' }),
    code: Type.Enum([...arrivalCodes], { description: 'what came of it' }),
    address: Nullable(
      Type.String({
        description: 'as the identity provider says it; null where it says none',
        examples: ['ada@example.com'],
      }),
    ),
    at: Timestamp(),
  },
  { title: 'Arrival' },
);

export const ArrivalListAnswer = ClosedObject({ arrivals: Type.Array(ArrivalSchema) });

export const ConnectionTestAnswer = ClosedObject({
  test: ClosedObject({
    issuer: { ...Issuer, description: 'of SAML, the entity id' },
    authorizationEndpoint: Type.String({
      description: 'where people sign in',
      examples: ['https://acme.okta.com/oauth2/v1/authorize'],
    }),
    signingKeys: Type.Integer({
      description:
        'how many keys it signs with: those that it publishes, or certificates that have not ended',
    }),
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
