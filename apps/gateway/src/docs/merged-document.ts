import { isDeepStrictEqual } from 'node:util';
import { covers } from '../routing/route-table.ts';

/** The parts of an OpenAPI document that are merged. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Components;
  readonly [part: string]: unknown;
}

/** Schemas, responses and security schemes, by kind and name. */
type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
}

/** The document of one service; undefined while the service is down. */
export interface Part {
  readonly prefix: string;
  readonly document: ApiDocument | undefined;
}

/**
 * One document of all services: the gateway's own paths, and those of each service below its prefix. Services that are down are
 * named in the description and in `x-unavailable`.
 *
 * Operations and schemas keep their names, by which generated clients call them.
 *
 * @throws an Error for an operationId that two operations have, and for a schema that two services describe differently.
 */
export function mergeDocuments(own: ApiDocument, parts: readonly Part[]): ApiDocument {
  const available = parts.flatMap(({ prefix, document }) =>
    document ? [contributionOf(nameOf(prefix), pathsBelow(prefix, document), document)] : [],
  );
  const unavailable = parts.filter(({ document }) => !document).map(({ prefix }) => prefix);
  const services = [...available, contributionOf(gatewayName, own.paths, own)];
  refuseSharedIds(services);
  const tags = services.flatMap(({ paths }) => operationsOf(paths).flatMap(({ tags: of = [] }) => of));
  return {
    ...own,
    info: { ...own.info, description: describe(own.info.description, unavailable) },
    paths: Object.assign({}, ...services.map(({ paths }) => paths)) as ApiDocument['paths'],
    components: mergeComponents(services),
    tags: [...new Set(tags)].map((name) => ({ name })),
    ...(unavailable.length > 0 && { 'x-unavailable': unavailable }),
  };
}

/** A service's part of the document. */
interface Contribution extends Pick<ApiDocument, 'paths' | 'components'> {
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

/** Paths with the tags and responses named after their service, and the components that these paths refer to. */
function contributionOf(
  name: string,
  paths: ApiDocument['paths'],
  { components }: ApiDocument,
): Contribution {
  const tagged = mapValues(paths, (methods) =>
    mapValues(methods, (operation) => ({ ...operation, tags: tagsOf(operation, name) })),
  );
  const used = componentsUsedBy(paths, components);
  const { responses = {}, ...others } = used;
  const renamed = Object.entries(responses).map(([key, value]) => [capitalized(name) + key, value] as const);
  return withResponsesOf(name, {
    name,
    paths: tagged,
    components: { ...others, responses: Object.fromEntries(renamed) },
  });
}

const tagsOf = ({ tags = [] }: Operation, name: string): string[] => {
  const own = tags.length === 0 ? [name] : tags;
  return own.map((tag) => (tag === name || name === gatewayName ? tag : `${name}: ${tag}`));
};

const responseReference = '#/components/responses/';

/** Responses are named only by their error codes, which several services share. */
function withResponsesOf(name: string, contribution: Contribution): Contribution {
  return JSON.parse(JSON.stringify(contribution), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' && value.startsWith(responseReference)
      ? responseReference + capitalized(name) + value.slice(responseReference.length)
      : value,
  ) as Contribution;
}

function componentsUsedBy(paths: ApiDocument['paths'], components: Components): Components {
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part ?? null).matchAll(references)) {
      if (used.has(`${kind}/${name}`)) continue;
      used.add(`${kind}/${name}`);
      visit(components[kind]?.[name]);
    }
  };
  visit(paths);
  return mapValues(components, (values, kind) =>
    // Security schemes are referred to by their bare name.
    kind === 'securitySchemes'
      ? values
      : Object.fromEntries(Object.entries(values).filter(([name]) => used.has(`${kind}/${name}`))),
  );
}

const references = /"\$ref":"#\/components\/([^/"]+)\/([^/"]+)"/g;

function refuseSharedIds(services: readonly Contribution[]): void {
  const serviceOf = new Map<string, string>();
  for (const { name, paths } of services) {
    for (const { operationId } of operationsOf(paths)) {
      const other = serviceOf.get(operationId);
      if (other !== undefined) {
        throw new Error(`${other} and ${name} both have an operation ${operationId}: rename one of them.`);
      }
      serviceOf.set(operationId, name);
    }
  }
}

function mergeComponents(services: readonly Contribution[]): Components {
  const merged: Record<string, Record<string, unknown>> = {};
  for (const { name: service, components } of services) {
    for (const [kind, values] of Object.entries(components)) {
      const known = (merged[kind] ??= {});
      for (const [name, value] of Object.entries(values)) {
        if (Object.hasOwn(known, name) && !isDeepStrictEqual(known[name], value)) {
          throw new Error(
            `${service} describes ${name} otherwise than a service before it: rename one of them.`,
          );
        }
        known[name] = value;
      }
    }
  }
  return merged;
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

const capitalized = (name: string): string =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
