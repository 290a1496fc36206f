import { hash } from 'node:crypto';
import { covers } from '../routing/route-table.ts';

/** An OpenAPI document, as far as it is merged. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
  readonly [part: string]: unknown;
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
}

/** The document of one service, undefined while the service is away. */
export interface Part {
  readonly prefix: string;
  readonly document: ApiDocument | undefined;
}

/**
 * One document of all services: the gateway's own paths, and those of each service below its prefix.
 *
 * A component or operationId that two services use alike stays as it is; one that they use differently begins with the
 * name of its service, but for what most of them use alike. The name of a service that is away stands in the description and in `x-unavailable`.
 */
export function mergeDocuments(own: ApiDocument, parts: readonly Part[]): ApiDocument {
  const available = parts.flatMap(({ prefix, document }) =>
    document ? [{ name: nameOf(prefix), ...document, paths: pathsBelow(prefix, document) }] : [],
  );
  const unavailable = parts.filter(({ document }) => !document).map(({ prefix }) => prefix);
  const services = [...available, { ...own, name: gatewayName }];
  const names = namesOf(services);
  const renamed = services.map((service) => withOwnNames(service, names));
  const tags = renamed.flatMap(({ paths }) => operationsOf(paths).flatMap(({ tags: of = [] }) => of));
  return {
    ...own,
    info: { ...own.info, description: describe(own.info.description, unavailable) },
    paths: Object.assign({}, ...renamed.map(({ paths }) => paths)) as ApiDocument['paths'],
    components: mergeComponents(renamed.map(({ components }) => components)),
    tags: [...new Set(tags)].map((name) => ({ name })),
    ...(unavailable.length > 0 && { 'x-unavailable': unavailable }),
  };
}

interface NamedDocument extends Pick<ApiDocument, 'paths' | 'components'> {
  /** `leads` of `/api/leads`. */
  readonly name: string;
}

const gatewayName = 'gateway';

const nameOf = (prefix: string): string => prefix.split('/').slice(2).join('-') || prefix.slice(1);

const pathsBelow = (prefix: string, { paths }: ApiDocument): ApiDocument['paths'] =>
  Object.fromEntries(Object.entries(paths).filter(([path]) => covers(prefix, path)));

const operationsOf = (paths: ApiDocument['paths']): Operation[] =>
  Object.values(paths).flatMap((methods) => Object.values(methods));

function describe(introduction = '', unavailable: readonly string[]): string {
  if (unavailable.length === 0) return introduction;
  const names = unavailable.map((prefix) => `\`${prefix}\``).join(', ');
  return `**Left out, because the service cannot be reached right now: ${names}.**\n\n${introduction}`;
}

/** What may stay under the name that several services use. */
interface Names {
  /** By reference, such as `#/components/schemas/Lead`: the digest of what most services call so. */
  readonly components: ReadonlyMap<string, string>;
  /** Those that are used twice. */
  readonly operationIds: ReadonlySet<string>;
}

function namesOf(services: readonly NamedDocument[]): Names {
  const ids = services.flatMap(({ paths }) => operationsOf(paths).map(({ operationId }) => operationId));
  const digests = new Map<string, string[]>();
  for (const { components } of services) {
    const digestOf = digestsOf(components);
    for (const reference of referencesTo(components)) {
      digests.set(reference, [...(digests.get(reference) ?? []), digestOf(reference)]);
    }
  }
  return {
    components: new Map([...digests].map(([reference, all]) => [reference, mostFrequent(all)])),
    operationIds: new Set(ids.filter((id, index) => ids.indexOf(id) !== index)),
  };
}

const referencesTo = (components: Components): string[] =>
  Object.entries(components).flatMap(([kind, values]) =>
    Object.keys(values).map((name) => `#/components/${kind}/${name}`),
  );

/** Digests of components with everything that they refer to. */
function digestsOf(components: Components): (reference: string) => string {
  const known = new Map<string, string>();
  return function digestOf(reference) {
    const digest = known.get(reference);
    if (digest !== undefined) return digest;
    // What refers to itself does so by its name.
    known.set(reference, reference);
    const [kind = '', name = ''] = reference.split('/').slice(2);
    const text = JSON.stringify(components[kind]?.[name], (key, value: unknown) =>
      key === '$ref' && typeof value === 'string' ? digestOf(value) : value,
    );
    known.set(reference, hash('sha256', text));
    return known.get(reference) ?? '';
  };
}

function mostFrequent(values: readonly string[]): string {
  const countOf = (value: string) => values.filter((other) => other === value).length;
  return values.reduce((best, value) => (countOf(value) > countOf(best) ? value : best));
}

function withOwnNames(service: NamedDocument, names: Names): NamedDocument {
  const { name, paths, components } = service;
  const digestOf = digestsOf(components);
  const own = (reference: string): string =>
    names.components.get(reference) === digestOf(reference)
      ? reference
      : reference.replace(/[^/]+$/, (last) => capitalized(name) + last);
  const operation = (described: Operation): Operation => {
    const { operationId, tags = [name] } = described;
    return {
      ...(withReferences(described, own) as Operation),
      operationId: names.operationIds.has(operationId)
        ? camelCase(name) + capitalized(operationId)
        : operationId,
      tags: tags.map((tag) => (tag === name || name === gatewayName ? tag : `${name}: ${tag}`)),
    };
  };
  return {
    name,
    paths: mapValues(paths, (methods) => mapValues(methods, operation)),
    components: mapValues(components, (values, kind) => {
      const renamed = Object.entries(values).map(([key, value]) => {
        const reference = own(`#/components/${kind}/${key}`);
        return [reference.slice(reference.lastIndexOf('/') + 1), withReferences(value, own)] as const;
      });
      return Object.fromEntries(renamed);
    }),
  };
}

function withReferences(part: unknown, rename: (reference: string) => string): unknown {
  if (Array.isArray(part)) return part.map((item) => withReferences(item, rename));
  if (typeof part !== 'object' || part === null) return part;
  return mapValues(part as Record<string, unknown>, (value, key) =>
    key === '$ref' && typeof value === 'string' ? rename(value) : withReferences(value, rename),
  );
}

function mergeComponents(all: readonly Components[]): Components {
  const kinds = new Set(all.flatMap((components) => Object.keys(components)));
  return Object.fromEntries(
    [...kinds].map((kind) => [
      kind,
      Object.assign({}, ...all.map((components) => components[kind])) as object,
    ]),
  ) as Components;
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

const camelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const capitalized = (name: string): string =>
  camelCase(name).replace(/^\w/, (letter) => letter.toUpperCase());
