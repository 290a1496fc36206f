import { operations, type OperationId } from './generated/operations.ts';

/** An operation as described by a line of the table. */
export interface Operation {
  readonly method: string;
  /** Below `/api/`. */
  readonly path: string;
  /** Undefined where it takes none. */
  readonly permission: string | undefined;
  /** The service that responds: `leads` of `/api/leads`. */
  readonly service: string;
  /** Whether it takes an Idempotency-Key. */
  readonly isKeyed: boolean;
  /** Whether it takes Expected-Organization. */
  readonly meansOrganization: boolean;
  /** The property that holds the rows of a page. */
  readonly rows: string | undefined;
  /** Whether it responds with a file. */
  readonly isFile: boolean;
  /** The media type of its body. */
  readonly sends: string;
}

export const json = 'application/json';

/** Reads the line of an operation. */
export function operationOf(id: OperationId): Operation {
  const [path = '', method = '', ...words] = operations[id].split(' ');
  const valueOf = (name: string) => words.find((word) => word.startsWith(name))?.slice(name.length);
  const permission = words.find((word) => word.includes(':'));
  const [service = ''] = path.split('/');
  return {
    method,
    path,
    permission,
    service,
    isKeyed: words.includes('key'),
    meansOrganization: permission !== undefined && service !== 'auth',
    rows: valueOf('rows='),
    isFile: words.includes('file'),
    sends: valueOf('sends=') ?? json,
  };
}

/** The arguments of a method. */
export interface Request {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly ifMatch?: string;
  readonly idempotencyKey?: string | undefined;
  readonly signal?: AbortSignal;
  readonly keepalive?: boolean;
}

/** Path and query of a request; a list of values is one parameter, separated by commas. */
export function urlOf({ path }: Operation, { path: ids = {}, query = {} }: Request): string {
  const filled = `/api/${path}`.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(ids[name] ?? ''),
  );
  const parameters = definedOf(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parameters.length === 0 ? filled : `${filled}?${parameters.join('&')}`;
}

/** The entries of a record that are not undefined. */
export const definedOf = <Value>(record: Readonly<Record<string, Value>>): [string, NonNullable<Value>][] =>
  Object.entries(record).filter((entry): entry is [string, NonNullable<Value>] => entry[1] !== undefined);

/** A body that can be read only once. */
export const isStream = (body: unknown): boolean =>
  (body as { readonly getReader?: unknown } | null | undefined)?.getReader !== undefined;
