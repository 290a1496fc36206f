import { readdirSync } from 'node:fs';
import { nameOf, type Operation } from './operations.ts';
import { bearer, type Person, type SentFile, type Tenant } from './people.ts';
import type { WireRequest } from './wire.ts';

/** A request that must succeed. */
export interface LawfulRequest {
  /** Who makes it: the owner where an operation is not public and no caller is named. */
  readonly by?: Person;
  /** Whose account it changes, where the answer does not say. */
  readonly about?: Person;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** A body that is not JSON. */
  readonly file?: SentFile;
}

/** Prepares a request of a tenant; each is good for once, since many use up what they are about. */
export type PrepareRequest = (tenant: Tenant) => LawfulRequest | Promise<LawfulRequest>;

/** By the name of the operation. */
export type PreparedRequests = Readonly<Record<string, PrepareRequest>>;

const healthRequests: PreparedRequests = {
  'GET /api/health': () => ({}),
  'GET /api/health/live': () => ({}),
  'GET /api/health/ready': () => ({}),
};

const folder = new URL('requests/', import.meta.url);
const ofServices = readdirSync(folder).map(async (file) => {
  const { requests } = (await import(new URL(file, folder).href)) as { requests: PreparedRequests };
  return requests;
});

/** One lawful request for every operation there is; each service has its own in a file of `requests`. */
export const lawfulRequests: PreparedRequests = Object.assign(
  { ...healthRequests },
  ...(await Promise.all(ofServices)),
) as PreparedRequests;

/** What to do about an operation without a written request. */
export const whereMissing = (operation: Operation): string =>
  `${nameOf(operation)} has no lawful request: add '${nameOf(operation)}' to tools/test-system/matrix/requests/${operation.service}.ts`;

/** Prepares the lawful request of an operation for a tenant; the caller is filled in. */
export async function lawfulRequest(operation: Operation, tenant: Tenant): Promise<LawfulRequest> {
  const prepare = lawfulRequests[nameOf(operation)];
  if (prepare === undefined) throw new Error(whereMissing(operation));
  const request = await prepare(tenant);
  return operation.access === 'public' ? request : { by: tenant.owner, ...request };
}

/** Writes a request down; `headers` replace those that name its caller. */
export function wireRequest(
  operation: Operation,
  { by, path = {}, query, body, file }: LawfulRequest,
  headers: WireRequest['headers'] = by ? bearer(by) : {},
): WireRequest {
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
  return {
    method: operation.method,
    path: query ? `${filled}?${new URLSearchParams(query).toString()}` : filled,
    headers: { ...typeOf(body ? 'application/json' : file?.mediaType), ...headers },
    body: body ? JSON.stringify(body) : file?.content,
  };
}

/** Ids in bodies that clients choose: one of another organization makes a row, as an unused one does. */
const chosenByClients: ReadonlySet<string> = new Set(['customerId']);

const typeOf = (mediaType: string | undefined) =>
  mediaType === undefined ? {} : { 'content-type': mediaType };

/** The ids that a request of an operation names: in its path, and in its body. */
export const idsNamedBy = ({ pathIds, body }: Operation): string[] => [
  ...pathIds,
  ...Object.entries(body?.properties ?? {}).flatMap(([name, { format }]) =>
    format === 'uuid' && !chosenByClients.has(name) ? [name] : [],
  ),
];

/** One of the ids that a request names. */
export const idIn = ({ path, body }: LawfulRequest, name: string): string =>
  path?.[name] ?? String(body?.[name]);

/** The same request about something else. */
export function withIds(
  request: LawfulRequest,
  names: readonly string[],
  idFor: (name: string) => string,
): LawfulRequest {
  const { path = {}, body } = request;
  return { ...request, path: replaced<string>(path), ...(body && { body: replaced(body) }) };

  function replaced<Value>(part: Readonly<Record<string, Value>>): Record<string, Value | string> {
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, names.includes(name) ? idFor(name) : value]),
    );
  }
}

const wholeId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The same request with all its ids in capitals. */
export function inCapitals<Part>(part: Part): Part {
  const text = JSON.stringify(part, (_, value: unknown) =>
    typeof value === 'string' && wholeId.test(value) ? value.toUpperCase() : value,
  );
  return JSON.parse(text) as Part;
}
