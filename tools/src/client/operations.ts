import type { ApiDocument } from '../api/document.ts';
import { codeOf, describedOperations, isRefusal, type DescribedOperation, type Schema } from './described.ts';

/** Writes what the client knows of each operation: a line to send it by, its type, and what it refuses with. */
export function writeOperations(document: ApiDocument): string {
  const operations = describedOperations(document);
  const common = operations
    .map(({ codes }) => codes)
    .reduce((shared, codes) => shared.filter((code) => codes.includes(code)));
  return `// Written by npm run client, of the OpenAPI document of all services.
import type { IfMatch, Keyed, ListMethod, Method, OptionalBody, SentFile } from '../methods.ts';
import type * as api from './types.ts';

/** How to send each operation: its path and method, the permission it needs, what else it takes and gives. */
export const operations = {
${operations
  .toSorted(byPath)
  .map((operation) => `  ${operation.id}: '${lineOf(operation)}',`)
  .join('\n')}
} as const;

/** The name of an operation. */
export type OperationId = keyof typeof operations;

/** One method for each operation of the API. */
export interface Operations {
${operations.map(methodOf).join('\n')}
}

/** What any operation may be refused with. */
export type CommonCode = ${union(common)};

/** What else each operation may be refused with; those that are absent, with nothing else. */
export interface Codes {
${operations.map((operation) => codesLine(operation, common)).join('\n')}
}

/** The reasons that refine a code. */
export interface Reasons {
${reasonsOf(document)
  .map(([code, reasons]) => `  ${code}: ${union(reasons)};`)
  .join('\n')}
}
`;
}

/** Similar lines are side by side, which compresses better. */
const byPath = (one: DescribedOperation, other: DescribedOperation): number =>
  one.path.localeCompare(other.path);

/** Words that `requests.ts` of the client reads. */
function lineOf(operation: DescribedOperation): string {
  const { method, path, access, headers, answersFile, bodyTypes } = operation;
  const rows = rowsOf(operation);
  return [
    ...[path.replace('/api/', ''), method],
    ...(access.includes(':') ? [access] : []),
    ...(headers.has('Idempotency-Key') ? ['key'] : []),
    ...(rows === undefined ? [] : [`rows=${rows}`]),
    ...(answersFile ? ['file'] : []),
    ...bodyTypes.slice(0, 1).map((type) => `sends=${type}`),
  ].join(' ');
}

function methodOf(operation: DescribedOperation): string {
  const { id, method, path, summary, access } = operation;
  const needs = access.includes(':') ? `, needs \`${access}\`` : '';
  return `  /** ${summary}. \`${method} ${path}\`${needs} */\n  readonly ${id}: ${typeOf(operation)};`;
}

function typeOf(operation: DescribedOperation): string {
  const request = requestOf(operation);
  const answer = `api.${pascalCase(operation.id)}Responses[${operation.status}]`;
  const rows = rowsOf(operation);
  if (rows !== undefined) return `ListMethod<${request}, ${answer}['${rows}'][number]>`;
  if (operation.answersFile) return `Method<${request}, Blob>`;
  if (operation.answer === undefined) return `Method<${request}, undefined>`;
  return isEnveloped(operation.answer)
    ? `Method<${request}, ${answer}['data'], ${answer}['meta']>`
    : `Method<${request}, ${answer}>`;
}

function requestOf({ id, takes, headers, bodyTypes, mayBeEmpty }: DescribedOperation): string {
  const asDescribed = takes.filter((part) => part !== 'body' || (bodyTypes.length === 0 && !mayBeEmpty));
  const parts = [
    ...(asDescribed.length > 0 ? [`Pick<api.${pascalCase(id)}Data, ${union(asDescribed)}>`] : []),
    ...(mayBeEmpty ? [`OptionalBody<api.${pascalCase(id)}Data>`] : []),
    ...(bodyTypes.length > 0 ? ['SentFile'] : []),
    ...(headers.has('If-Match') ? ['IfMatch'] : []),
    ...(headers.has('Idempotency-Key') ? ['Keyed'] : []),
  ];
  return parts.join(' & ') || 'object';
}

/** The property of an answer that holds the rows of a page; undefined where it is no page. */
function rowsOf({ answer }: DescribedOperation): string | undefined {
  const { properties = {} } = answer ?? {};
  if (isEnveloped({ properties })) {
    const isPage = properties['meta']?.$ref?.endsWith('/PageMeta') === true;
    return isPage ? 'data' : undefined;
  }
  if (!('total' in properties && 'pageSize' in properties)) return undefined;
  return Object.entries(properties).find(([, { type }]) => type === 'array')?.[0];
}

const isEnveloped = ({ properties = {} }: Schema): boolean =>
  ['data', 'error', 'meta'].every((part) => part in properties);

function codesLine({ id, codes }: DescribedOperation, common: readonly string[]): string {
  const own = codes.filter((code) => !common.includes(code));
  return `  ${id}: ${own.length === 0 ? 'never' : union(own)};`;
}

/** The reasons of each code, over all refusals. */
function reasonsOf({ components }: ApiDocument): (readonly [code: string, reasons: readonly string[]])[] {
  const byCode = new Map<string, readonly string[]>();
  for (const [name, schema] of Object.entries(components['schemas'] ?? {})) {
    const { properties = {} } = schema as Schema;
    const { reason } = properties['error']?.properties ?? properties;
    const code = codeOf(schema as Schema);
    if (isRefusal(name) && code !== undefined && reason?.enum) byCode.set(code, reason.enum);
  }
  return [...byCode].sort(([one], [other]) => one.localeCompare(other));
}

const union = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(' | ');

const pascalCase = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);
