import { hash } from 'node:crypto';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { FastifyReply, FastifyRequest, FastifySchema, RouteHandlerMethod } from 'fastify';
import { Type, type TProperties } from 'typebox';
import type { RequestTenants } from '../tenants/tenants.ts';
import { canonicalJson } from './canonical-json.ts';
import { executeOnce } from './execute-once.ts';
import type { RequestKey, StoredResponse, StoredResponses } from './stored-responses.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether the route honours an Idempotency-Key. Its handler then returns its response, throws to refuse, and works on the
     * rows of `tenantOf(request)`.
     */
    idempotent?: boolean | IdempotentRoute;
  }
}

/** How a route with needs of its own honours an Idempotency-Key. */
export interface IdempotentRoute {
  /**
   * Runs before the handler, with or without a key: for slow work that must not happen in a transaction. Requests are compared
   * by the body that it leaves, as JSON. The function that it returns runs when the request has ended.
   */
  readonly prepare?: (request: FastifyRequest, reply: FastifyReply) => Promise<() => Promise<void>>;
  /** Timeout of the transaction of a request with a key; default: that of the service's database. */
  readonly limitMs?: number;
  /** Maximum size of a stored response; default 64 KiB, the limit of the table. */
  readonly answerBytesMax?: number;
}

const header = 'idempotency-key';
const answerBytesMaxDefault = 65_536;
/** The headers that are part of the stored response; the others belong to the single request. */
const keptHeaders = ['content-type', 'location', 'etag'];

const KeyHeader = Type.Optional(
  Type.String({
    pattern: '^[\\x21-\\x7e]{1,255}$',
    messages: { pattern: 'must be 1 to 255 visible ASCII characters' },
    description:
      'a new random value for each new request: sent again within 24 hours, the request is done once',
    examples: ['0198a1b2-0c3d-7000-8000-4e5f60718293'],
  }),
);

/** The header of a route that forwards its Idempotency-Key to the service that does the work. */
export const IdempotencyKeyHeaders = Type.Object({ [header]: KeyHeader });

/** A route's schema, with the header added. */
export function withKeyHeader(schema: FastifySchema = {}): FastifySchema {
  const { properties = {} } = (schema.headers ?? {}) as { readonly properties?: TProperties };
  return { ...schema, headers: Type.Object({ ...properties, [header]: KeyHeader }) };
}

/** What an idempotent handler needs, beside the needs of its route. */
export interface IdempotentHandlerOptions extends IdempotentRoute {
  readonly tenants: RequestTenants;
  readonly responses: StoredResponses;
}

/** Makes a handler idempotent for requests with a key; without one it runs unchanged. */
export function idempotentHandler(
  handler: RouteHandlerMethod,
  { prepare, ...options }: IdempotentHandlerOptions,
): RouteHandlerMethod {
  const executing = executingOnce(handler, options);
  if (!prepare) return executing;
  return async function (request, reply) {
    const end = await prepare(request, reply);
    try {
      const response: unknown = await executing.call(this, request, reply);
      return response;
    } finally {
      await end();
    }
  };
}

function executingOnce(
  handler: RouteHandlerMethod,
  options: Omit<IdempotentHandlerOptions, 'prepare'>,
): RouteHandlerMethod {
  const { tenants, responses, limitMs, answerBytesMax = answerBytesMaxDefault } = options;
  return async function (request, reply) {
    const key = requestKeyOf(request);
    if (!key) return handler.call(this, request, reply);
    const work = async (): Promise<StoredResponse> => {
      uncommitted.add(request);
      try {
        const returned: unknown = await handler.call(this, request, reply);
        if (!uncommitted.has(request)) throw sentEarly();
        return responseOf(returned, reply, answerBytesMax);
      } finally {
        uncommitted.delete(request);
      }
    };
    const { status, headers, body, isRepeated } = await executeOnce({
      tenant: tenants.of(request),
      key,
      responses,
      work: (tx) => tenants.lend(request, tx.asScope(), work),
      limitMs,
    });
    if (isRepeated) reply.header('idempotency-replayed', 'true');
    return reply.code(status).headers(headers).send(body);
  };
}

/** Requests with a key whose work is not committed yet. */
const uncommitted = new WeakSet<FastifyRequest>();

/** The `onSend` hook of an idempotent route: no client sees what is not committed. */
export async function requireCommitted(request: FastifyRequest): Promise<void> {
  if (uncommitted.delete(request)) throw sentEarly();
}

const sentEarly = () => new Error('An idempotent route returns its response, and sends none itself.');

/** Identifies a request with an Idempotency-Key; undefined without one. */
export function requestKeyOf(request: FastifyRequest): RequestKey | undefined {
  const { method, body, headers } = request;
  const key = headers[header];
  if (typeof key !== 'string') return undefined;
  const url = urlOf(request);
  const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');
  return {
    userId: memberOf(request).userId,
    key: digestOf(key),
    request: digestOf(canonicalJson([method, url, body])),
    // As earlier releases stored it.
    asWritten: digestOf(JSON.stringify([method, url, body])),
  };
}

/** The path and query of a request, with the path's parameters as validation has left them: an id may be written in either case. */
function urlOf({ url, params, routeOptions }: FastifyRequest): string {
  const values = params as Readonly<Record<string, string>>;
  const path = (routeOptions.url ?? '').replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  return path + (/\?.*$/s.exec(url)?.[0] ?? '');
}

/** The response of a handler, as it will be sent. */
function responseOf(payload: unknown, reply: FastifyReply, bytesMax: number): StoredResponse {
  const { statusCode: status } = reply;
  if (status < 200 || status > 299)
    throw new Error(`An idempotent route refuses by throwing, and not with ${status}.`);
  const body = bodyOf(payload, reply);
  if (Buffer.byteLength(body) > bytesMax) {
    throw new Error(`An idempotent route answers ${bytesMax} bytes at most, because its answer is kept.`);
  }
  const headers = keptHeaders.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { status, headers: Object.fromEntries(headers), body };
}

function bodyOf(payload: unknown, reply: FastifyReply): string {
  if (payload === undefined || payload === null) return '';
  if (typeof payload === 'string') return payload;
  if (ArrayBuffer.isView(payload) || typeof (payload as { pipe?: unknown }).pipe === 'function') {
    throw new Error('An idempotent route answers JSON or text: bytes and streams are not kept.');
  }
  if (!reply.hasHeader('content-type')) reply.type('application/json; charset=utf-8');
  // A route with responses of several media types has a serializer for each.
  const serialize = reply.getSerializationFunction(String(reply.statusCode), 'application/json');
  return (serialize?.(payload as Record<string, unknown>) ?? reply.serialize(payload)) as string;
}
