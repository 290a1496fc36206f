/** Options of every call. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Lets the request outlive the page, as with `fetch`. */
  readonly keepalive?: boolean | undefined;
}

/** Makes a change conditional: 412 if the item has changed since it was read. */
export interface IfMatch {
  /** The `etag` of the response that was read. */
  readonly ifMatch?: string | undefined;
}

/** A request that is executed once, however often it is sent. */
export interface Keyed {
  /** A new one for each call by default; kept through its repeats. */
  readonly idempotencyKey?: string | undefined;
}

/** A body that may be left out. */
export interface OptionalBody<Data extends { readonly body?: unknown }> {
  readonly body?: NonNullable<Data['body']> | undefined;
}

/** A file to send. A stream is sent once and never repeated. */
export interface SentFile {
  readonly body: Blob | string | ReadableStream<Uint8Array>;
}

/** What a call resolves to. */
export interface Answer<Data, Meta = undefined> {
  readonly data: Data;
  /** The `meta` of the envelope; undefined without an envelope. */
  readonly meta: Meta;
  /** Of a single item: send it back as `ifMatch`. */
  readonly etag: string | undefined;
  /** To name when you report a problem. */
  readonly requestId: string | undefined;
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Of all pages. */
  readonly total: number;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
}

/** A call of a list: its page, or one row after the other from that page to the last. */
export interface ListCall<Row> extends Promise<Answer<Page<Row>>>, AsyncIterable<Row> {}

/** The arguments of a method: nothing has to be given where nothing is required. */
type Arguments<Request> = object extends Request
  ? [request?: Loose<Request> & CallOptions]
  : [request: Loose<Request> & CallOptions];

/** Optional properties may also be undefined. */
type Loose<Request> = {
  readonly [Part in keyof Request]: Part extends 'query' ? LooseQuery<Request[Part]> : Request[Part];
};
type LooseQuery<Query> =
  | { readonly [Name in keyof Query]: Query[Name] | undefined }
  | Extract<Query, undefined>;

/** A method of the client. It rejects with a {@link TenantryError}. */
export type Method<Request, Data, Meta = undefined> = (
  ...call: Arguments<Request>
) => Promise<Answer<Data, Meta>>;

/** A method that lists. */
export type ListMethod<Request, Row> = (...call: Arguments<Request>) => ListCall<Row>;
