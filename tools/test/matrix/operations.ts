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
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface DescribedOperation {
  readonly 'x-access'?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

/** One operation of a service, as its OpenAPI document describes it. */
export interface Operation {
  readonly service: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** `public`, `signed-in` or a permission. */
  readonly access: string;
  readonly pathParameters: readonly string[];
  readonly query: Readonly<Record<string, Schema>>;
  readonly body: Schema | undefined;
  /** By status, or by class of statuses (`4XX`). */
  readonly answers: Readonly<Record<string, DescribedAnswer>>;
}

/** `POST /api/leads`: how an operation is spoken of. */
export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;

/** Whether the operation may change something. */
export const isUnsafe = ({ method }: Operation): boolean => method !== 'GET' && method !== 'HEAD';

/** Reads every operation from the documents of all services. */
export async function readOperations(services: RunningServices): Promise<readonly Operation[]> {
  const documents = services.names.map(async (service) => {
    const { text } = await send(services.urlOf(service), {
      method: 'GET',
      path: `${services.prefixOf(service)}/openapi.json`,
    });
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, DescribedOperation>> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => operationOf(service, method, path, described)),
    );
  });
  return (await Promise.all(documents)).flat();
}

function operationOf(
  service: string,
  method: string,
  path: string,
  described: DescribedOperation,
): Operation {
  const { parameters = [], requestBody, responses } = described;
  return {
    service,
    method: method.toUpperCase(),
    path,
    access: described['x-access'] ?? 'public',
    pathParameters: parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    query: Object.fromEntries(
      parameters.filter((parameter) => parameter.in === 'query').map(({ name, schema }) => [name, schema]),
    ),
    body: requestBody?.content['application/json']?.schema,
    answers: responses,
  };
}
