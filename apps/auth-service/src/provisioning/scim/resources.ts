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
import { groupSchema } from './group-documents.ts';
import type { FoundGroup } from './groups.ts';

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
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isShown(name, projection, userSchema)));
}

/** A group, with its members where they were read. */
export function groupResource(
  { group, members }: FoundGroup,
  base: string,
  projection: Projection = {},
): object {
  const { id, displayName, externalId, createdAt, updatedAt } = group;
  const whole = {
    schemas: [groupSchema],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    ...(members && {
      members: members.map(({ userId, userName }) => ({
        value: userId,
        display: userName,
        type: 'User',
        $ref: `${base}/Users/${userId}`,
      })),
    }),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Groups/${id}`,
    },
  };
  return Object.fromEntries(Object.entries(whole).filter(([name]) => isShown(name, projection, groupSchema)));
}

/** Whether a request wants the members of groups. */
export const wantsMembers = (projection: Projection): boolean => isShown('members', projection, groupSchema);

function isShown(name: string, projection: Projection, schema: string): boolean {
  const wanted = namesIn(projection.attributes, schema);
  const unwanted = namesIn(projection.excludedAttributes, schema);
  return (
    name === 'id' ||
    name === 'schemas' ||
    (wanted ? wanted.has(name.toLowerCase()) : !unwanted?.has(name.toLowerCase()))
  );
}

/** Of a list of paths, the attributes that they are in; undefined for none. */
function namesIn(list: unknown, schema: string): ReadonlySet<string> | undefined {
  if (typeof list !== 'string' || list.trim() === '') return undefined;
  const paths = list.split(',').map((path) => path.trim().toLowerCase());
  const extension = enterpriseSchema.toLowerCase();
  const prefix = `${schema.toLowerCase()}:`;
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

/** The kinds of resources. */
export const resourceTypes = (base: string): readonly object[] =>
  [
    {
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'Somebody who belongs to the organization',
      schema: userSchema,
      schemaExtensions: [{ schema: enterpriseSchema, required: false }],
    },
    {
      id: 'Group',
      name: 'Group',
      endpoint: '/Groups',
      description: 'A group of people of the directory',
      schema: groupSchema,
      schemaExtensions: [],
    },
  ].map((type) => ({
    schemas: [`${core}:ResourceType`],
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }));

/** The schemas of a user and of a group, as their attributes are read. */
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
    {
      id: groupSchema,
      name: 'Group',
      description: 'A group of people of the directory; a list of groups is without their members',
      attributes: [
        { ...described('displayName', { type: 'text' }), required: true, uniqueness: 'server' },
        described('members', { type: 'many', of: groupMemberAttributes }),
      ],
    },
  ].map((schema) => ({
    schemas: [`${core}:Schema`],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }));

/** What a member of a group has; all but `value` is said by this service. */
const groupMemberAttributes: Attributes = {
  value: { type: 'text' },
  display: { type: 'text' },
  type: { type: 'text' },
  $ref: { type: 'text' },
};

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
