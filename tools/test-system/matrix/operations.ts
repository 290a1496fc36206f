import type { RunningServices } from './services.ts';
import { send } from './wire.ts';

/** A JSON schema, as far as it is looked into. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maxLength?: number;
}

/** One documented answer; without content it has no body. */
export interface DescribedAnswer {
  readonly content?: Readonly<Record<string, DescribedContent>>;
}

interface DescribedContent {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly 'x-access'?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

/** One operation of a service, as its OpenAPI document describes it. */
export interface Operation {
  readonly service: string;
  readonly operationId: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** `public`, `signed-in` or a permission. */
  readonly access: string;
  readonly pathParameters: readonly string[];
  /** Those of them that are ids, and no token of a mail. */
  readonly pathIds: readonly string[];
  readonly query: Readonly<Record<string, Schema>>;
  readonly body: Schema | undefined;
  /** Of a body that is not JSON. */
  readonly fileTypes: readonly string[];
  /** The body that the document shows. */
  readonly bodyExample: unknown;
  /** By status. */
  readonly answers: Readonly<Record<string, DescribedAnswer>>;
}

/** `POST /api/leads`: how an operation is spoken of. */
export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Whether the operation may change something. */
export const isUnsafe = ({ method }: Operation): boolean => method !== 'GET' && method !== 'HEAD';

/** The OpenAPI document of a service. */
export async function readDocument(services: RunningServices, service: string): Promise<object> {
  const path = `${services.prefixOf(service)}/openapi.json`;
  const { text } = await send(services.urlOf(service), { method: 'GET', path });
  return JSON.parse(text) as object;
}

/** Reads every operation from the documents of all services. */
export async function readOperations(services: RunningServices): Promise<readonly Operation[]> {
  const documents = services.names.map(async (service) => {
    const document = await readDocument(services, service);
    const { paths } = withoutReferences(document, document) as {
      paths: Record<string, Record<string, DescribedOperation>>;
    };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => operationOf(service, method, path, described)),
    );
  });
  return (await Promise.all(documents)).flat();
}

/** A part of a document with everything in it that it refers to. */
function withoutReferences(part: unknown, document: object): unknown {
  if (Array.isArray(part)) return part.map((item) => withoutReferences(item, document));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref } = part as { $ref?: string };
  if ($ref !== undefined) {
    const keys = $ref.split('/').slice(1);
    const target = keys.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
    return withoutReferences(target, document);
  }
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withoutReferences(value, document)]),
  );
}

function operationOf(
  service: string,
  method: string,
  path: string,
  described: DescribedOperation,
): Operation {
  const { parameters = [], requestBody, responses } = described;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return {
    service,
    operationId: described.operationId,
    method: method.toUpperCase(),
    path,
    access: described['x-access'] ?? 'public',
    pathParameters: inPath.map(({ name }) => name),
    pathIds: inPath.filter(({ schema }) => schema.format === 'uuid').map(({ name }) => name),
    query: Object.fromEntries(
      parameters.filter((parameter) => parameter.in === 'query').map(({ name, schema }) => [name, schema]),
    ),
    body: requestBody?.content['application/json']?.schema,
    fileTypes: Object.keys(requestBody?.content ?? {}).filter((type) => type !== 'application/json'),
    bodyExample: requestBody?.content['application/json']?.example,
    answers: responses,
  };
}
