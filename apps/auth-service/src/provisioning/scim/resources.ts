import {
  enterpriseAttributes,
  enterpriseSchema,
  personAttributes,
  userSchema,
  type Attribute,
  type Attributes,
} from './attributes.ts';
import type { Person } from './directory.repository.ts';
import { listCountMax } from './filter.ts';

const messages = 'urn:ietf:params:scim:api:messages:2.0';
const core = 'urn:ietf:params:scim:schemas:core:2.0';

/** Which attributes a request wants, without regard to case: RFC 7644, 3.9. */
export interface Projection {
  readonly attributes?: unknown;
  readonly excludedAttributes?: unknown;
}

/** Somebody, as directories see them. @param base the address of the directory */
export function userResource(person: Person, base: string, projection: Projection = {}): object {
  const { userId: id, userName, externalId, active, attributes, createdAt, updatedAt } = person;
  const isEmployee = attributes[enterpriseSchema] !== undefined;
  const whole = {
    schemas: [userSchema, ...(isEmployee ? [enterpriseSchema] : [])],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...attributes,
    active,
    meta: {
      resourceType: 'User',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Users/${id}`,
    },
  };
  const wanted = namesIn(projection.attributes);
  const unwanted = namesIn(projection.excludedAttributes);
  const isShown = (name: string): boolean =>
    name === 'id' ||
    name === 'schemas' ||
    (wanted ? wanted.has(name.toLowerCase()) : !unwanted?.has(name.toLowerCase()));
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isShown(name)));
}

/** Of a list of paths, the attributes that they are in; undefined for none. */
function namesIn(list: unknown): ReadonlySet<string> | undefined {
  if (typeof list !== 'string' || list.trim() === '') return undefined;
  const paths = list.split(',').map((path) => path.trim().toLowerCase());
  const extension = enterpriseSchema.toLowerCase();
  const prefix = `${userSchema.toLowerCase()}:`;
  return new Set(
    paths.map((path) => {
      if (path.startsWith(extension)) return extension;
      const name = path.startsWith(prefix) ? path.slice(prefix.length) : path;
      return name.split('.', 1)[0] ?? '';
    }),
  );
}

/** A list, or a part of it. */
export function listResponse(
  resources: readonly object[],
  { total, startIndex = 1 }: { readonly total: number; readonly startIndex?: number },
): object {
  return {
    schemas: [`${messages}:ListResponse`],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** What directories can rely on: RFC 7643, 5. */
export const serviceProviderConfig = (base: string): object => ({
  schemas: [`${core}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: listCountMax },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Token of the directory',
      description: 'A token that an owner of the organization has made for this directory, as bearer token.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

/** The one kind of resource. */
export const userResourceType = (base: string): object => ({
  schemas: [`${core}:ResourceType`],
  id: 'User',
  name: 'User',
  endpoint: '/Users',
  description: 'Somebody who belongs to the organization',
  schema: userSchema,
  schemaExtensions: [{ schema: enterpriseSchema, required: false }],
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
});

/** The schemas of a user, as their attributes are read. */
export const schemas = (base: string): readonly object[] =>
  [
    {
      id: userSchema,
      name: 'User',
      description: 'Somebody who belongs to the organization',
      attributes: [
        { ...described('userName', { type: 'text' }), required: true, uniqueness: 'server' },
        described('active', { type: 'boolean' }),
        ...describedAll(personAttributes),
      ],
    },
    {
      id: enterpriseSchema,
      name: 'EnterpriseUser',
      description: 'What a company says of its people',
      attributes: describedAll(enterpriseAttributes),
    },
  ].map((schema) => ({
    schemas: [`${core}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }));

const describedAll = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([name, attribute]) => described(name, attribute));

function described(name: string, attribute: Attribute): object {
  const types = { text: 'string', boolean: 'boolean', complex: 'complex', many: 'complex' } as const;
  return {
    name,
    type: types[attribute.type],
    multiValued: attribute.type === 'many',
    description: name,
    required: false,
    ...(attribute.type === 'text' ? { caseExact: false, uniqueness: 'none' } : {}),
    mutability: 'readWrite',
    returned: 'default',
    ...('of' in attribute ? { subAttributes: describedAll(attribute.of) } : {}),
  };
}
