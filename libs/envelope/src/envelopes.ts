import type { ErrorDetail } from './errors.ts';

/** `meta` of a single-item response and of a failure. */
export interface RequestMeta {
  /** When the response was created, ISO 8601 UTC. */
  readonly timestamp: string;
  /** The id of the request in the logs of all services. */
  readonly requestId: string;
}

/** `meta` of a list: exactly these three, all integers. */
export interface PageMeta {
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

/** A successful response with one item. */
export interface Success<Data, Meta extends object = RequestMeta> {
  readonly data: Data;
  readonly error: null;
  readonly meta: Meta;
}

/** A successful list. */
export type Page<Item> = Success<Item[], PageMeta>;

/** A refused request. */
export interface Failure {
  readonly data: null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Refines the code, where a client must tell its causes apart. */
    readonly reason?: string;
    readonly details: readonly ErrorDetail[];
  };
  readonly meta: RequestMeta;
}

/** Wraps one item. `extra` adds to `meta` (for example warnings); `now` is the clock. */
export function success<Data, Extra extends object = object>(
  data: Data,
  requestId: string,
  extra?: Extra,
  now: Date = new Date(),
): Success<Data, RequestMeta & Extra> {
  const meta = { timestamp: now.toISOString(), requestId, ...extra } as RequestMeta & Extra;
  return { data, error: null, meta };
}

/** Wraps one page of a list with its exact total. */
export function page<Item>(data: Item[], { total, page, pageSize }: PageMeta): Page<Item> {
  return { data, error: null, meta: { total, page, pageSize } };
}

/** The error that {@link failure} wraps: a structural subset of `ApiError`. */
export interface PublicError {
  readonly code: string;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly details?: readonly ErrorDetail[];
}

/** Wraps a refusal. */
export function failure(error: PublicError, requestId: string, now: Date = new Date()): Failure {
  const { code, message, reason, details = [] } = error;
  return {
    data: null,
    error: { code, message, ...(reason === undefined ? {} : { reason }), details },
    meta: { timestamp: now.toISOString(), requestId },
  };
}
