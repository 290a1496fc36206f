import type { ApiDocument, ApiOperation } from '../api/document.ts';

/** An operation of the document, as the client knows it. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** `public`, `signed-in` or a permission. */
  readonly access: string;
  /** The status of its success. */
  readonly status: string;
  /** Of what it takes: `path`, `query`, `body`. */
  readonly takes: readonly ('path' | 'query' | 'body')[];
  readonly headers: ReadonlySet<string>;
  /** Whether its body may be left out. */
  readonly mayBeEmpty: boolean;
  /** The media types of its body; JSON alone has none. */
  readonly bodyTypes: readonly string[];
  /** The schema of its answer; undefined without a body, or for a file. */
  readonly answer: Schema | undefined;
  readonly answersFile: boolean;
  /** What it may refuse with. */
  readonly codes: readonly string[];
}

/** A JSON schema, as far as it matters here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

/** Reads the operations of a document, in the order of their names. */
export function describedOperations(document: ApiDocument): DescribedOperation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describe(document, { path, method, operation })),
  );
  return operations.sort((one, other) => one.id.localeCompare(other.id));
}

interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: ApiOperation;
}

function describe(document: ApiDocument, { path, method, operation }: Place): DescribedOperation {
  const { parameters = [], requestBody, responses } = operation;
  const [status = '', success] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? [];
  const content = (success as Answer | undefined)?.content ?? {};
  const json = content['application/json']?.schema;
  const bodyTypes = Object.keys(requestBody?.content ?? {}).filter((type) => type !== 'application/json');
  const hasIn = (where: string) => parameters.some((parameter) => parameter.in === where);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? operation.operationId,
    access: operation['x-access'] ?? 'public',
    status,
    takes: [
      ...(hasIn('path') ? (['path'] as const) : []),
      ...(hasIn('query') ? (['query'] as const) : []),
      ...(requestBody ? (['body'] as const) : []),
    ],
    headers: new Set(parameters.flatMap(({ in: where, name }) => (where === 'header' ? [name] : []))),
    mayBeEmpty: isNullable(bodyOf(document, operation)),
    bodyTypes,
    answer: json && resolved(document, json),
    answersFile: json === undefined && Object.keys(content).length > 0,
    codes: [...new Set(codesOf(document, responses))].sort(),
  };
}

function bodyOf(document: ApiDocument, { requestBody }: ApiOperation): Schema {
  const { schema = {} } = (requestBody as Answer | undefined)?.content?.['application/json'] ?? {};
  return resolved(document, schema);
}

const isNullable = ({ anyOf = [] }: Schema): boolean => anyOf.some(({ type }) => type === 'null');

/** The schema that a reference names. */
export function resolved({ components }: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components['schemas']?.[name] ?? {});
}

function codesOf(document: ApiDocument, responses: ApiOperation['responses']): string[] {
  return Object.entries(responses)
    .filter(([status]) => !status.startsWith('2'))
    .flatMap(([, response]) => {
      const name = (response as Answer).$ref?.split('/').at(-1);
      const refused = name === undefined ? response : document.components['responses']?.[name];
      const schema = (refused as Answer).content?.['application/json']?.schema ?? {};
      return (schema.oneOf ?? [schema]).flatMap((one) => codeOf(resolved(document, one)) ?? []);
    });
}

/** Whether a schema is that of a refusal, by its name. */
export const isRefusal = (name: string): boolean => /(?:Failure|Refusal)$/.test(name);

/** The one code of a refusal, plain or in the envelope. */
export function codeOf({ properties = {} }: Schema): string | undefined {
  const { code } = properties['error']?.properties ?? properties;
  return code?.enum?.[0];
}
