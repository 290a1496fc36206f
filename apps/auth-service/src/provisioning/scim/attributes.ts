import { ScimError } from '@tenantry/service/failures';

/** The schemas of a user: RFC 7643, 4.1 and 4.3. */
export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** An attribute, by its kind; `many` is a list of `complex` values. */
export type Attribute =
  | { readonly type: 'text' | 'boolean' }
  | { readonly type: 'complex' | 'many'; readonly of: Attributes };

/** Attributes by name. A name is compared without regard to case: RFC 7643, 2.1. */
export interface Attributes {
  readonly [name: string]: Attribute;
}

/** A value as it is kept: under names of {@link Attributes} alone, never under one that a request chose. */
export type Value = string | boolean | Values | Values[];
export interface Values {
  [name: string]: Value;
}

const text = { type: 'text' } as const;
const texts = <Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, text])) as Record<Name, typeof text>;
const complex = (of: Attributes) => ({ type: 'complex', of }) as const;
const many = (of: Attributes) => ({ type: 'many', of: { ...of, primary: { type: 'boolean' } } }) as const;
const plural = many(texts('value', 'display', 'type'));

/** What directories say of a person beside how they call them, as the core schema has it. */
export const personAttributes = {
  name: complex(
    texts('formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'),
  ),
  ...texts(
    'displayName',
    'nickName',
    'profileUrl',
    'title',
    'userType',
    'preferredLanguage',
    'locale',
    'timezone',
  ),
  emails: plural,
  phoneNumbers: plural,
  ims: plural,
  photos: plural,
  addresses: many(texts('formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country', 'type')),
  entitlements: plural,
  roles: plural,
} as const satisfies Attributes;

/** What they say of an employee, as the extension for enterprises has it. */
export const enterpriseAttributes = {
  ...texts('employeeNumber', 'costCenter', 'organization', 'division', 'department'),
  manager: complex(texts('value', '$ref', 'displayName')),
} as const satisfies Attributes;

/** Everything that a directory may write. */
export const writable: Attributes = {
  ...texts('userName', 'externalId'),
  active: { type: 'boolean' },
  ...personAttributes,
  [enterpriseSchema]: complex(enterpriseAttributes),
};

/** What this service says itself. In a whole user it is ignored: RFC 7644, 3.5.1. */
const readOnly: ReadonlySet<string> = new Set(['schemas', 'id', 'meta', 'groups']);

/** Whether an attribute is read only. */
export const isReadOnly = (name: string): boolean => readOnly.has(name.toLowerCase());

const textLengthMax = 1_000;
const valuesMax = 20;

/** The name and kind of an attribute; undefined if there is none. */
export function findAttribute(of: Attributes, written: string): readonly [string, Attribute] | undefined {
  const name = written.toLowerCase();
  return Object.entries(of).find(([known]) => known.toLowerCase() === name);
}

/**
 * Reads a value of an attribute; undefined for none: RFC 7643, 2.5.
 *
 * @throws ScimError for a value of another kind, and for attributes that are not kept here: they would be lost
 */
export function readValue(attribute: Attribute, value: unknown, path: string): Value | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  if (!('of' in attribute)) {
    const one = onlyValueIn(value);
    return attribute.type === 'text' ? readText(one, path) : readBoolean(one, path);
  }
  if (attribute.type === 'complex') return nonEmpty(readComplex(attribute.of, value, path));
  const list = [value].flat() as unknown[];
  if (list.length > valuesMax) throw invalidValue(path, `may have at most ${valuesMax} values`);
  const values = list.map((one) => readComplex(attribute.of, one, path)).filter((one) => nonEmpty(one));
  return values.length === 0 ? undefined : values;
}

/** Older versions of Entra's client write one value as a list of one. */
function onlyValueIn(value: unknown): unknown {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : undefined;
  return isObject(only) && 'value' in only ? only['value'] : value;
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidValue(path, 'must be text');
  if (value.length > textLengthMax) throw invalidValue(path, `may have at most ${textLengthMax} characters`);
  return value;
}

/** Microsoft Entra ID writes "True" and "False". */
function readBoolean(value: unknown, path: string): boolean {
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : undefined;
  if (word !== 'true' && word !== 'false') throw invalidValue(path, 'must be true or false');
  return word === 'true';
}

/** A text stands for what has a value, as Entra writes a manager. */
function readComplex(of: Attributes, given: unknown, path: string): Values {
  if (typeof given === 'string' && 'value' in of) return { value: readText(given, path) };
  if (!isObject(given)) throw invalidValue(path, 'must be an object');
  return readObject(of, given, path);
}

/** The attributes of an object. @throws ScimError */
export function readObject(of: Attributes, given: Readonly<Record<string, unknown>>, path = ''): Values {
  const read = Object.entries(given).flatMap(([written, value]): [string, Value][] => {
    const where = path === '' ? written : `${path}.${written}`;
    const found = findAttribute(of, written);
    if (!found) throw invalidValue(where, 'is not kept here: remove it from what your directory sends');
    const [name, attribute] = found;
    const said = readValue(attribute, value, where);
    return said === undefined ? [] : [[name, said]];
  });
  return Object.fromEntries(read);
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const nonEmpty = (values: Values): Values | undefined =>
  Object.keys(values).length === 0 ? undefined : values;

/** A value that cannot be taken. Its path is cut: a client chose it. */
export const invalidValue = (path: string, problem: string): ScimError =>
  new ScimError('VALIDATION_ERROR', 'invalidValue', `${path.slice(0, 100)} ${problem}.`);
