import { hash } from 'node:crypto';
import { memberOf } from '@tenantry/jwt-verify/fastify';
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import { Type, type TProperties } from 'typebox';
import type { Context, ContextOf } from '../tenants/context.ts';
import { canonicalJson } from './canonical-json.ts';
import { executeOnce } from './execute-once.ts';
import { keyInUse } from './idempotency.errors.ts';
import type { RequestKey, StoredResponse, StoredResponses } from './stored-responses.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route honours an Idempotency-Key. Its handler does its work by {@link Once}, and throws to refuse. */
    idempotent?: boolean;
  }
}

/**
 * Does the work of a request once, however often it is sent with its Idempotency-Key: in the transaction that stores its response.
 * Without a key it just does the work. Transactions that the work opens are parts of the one that it is done in.
 *
 * @example
 * async (request, reply) =>
 *   once(request, reply, async (context) => {
 *     const { id } = await leads.create(context, request.body);
 *     reply.code(201);
 *     return success({ id }, request.id);
 *   }),
 */
export type Once = <Answer, Before = undefined>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (context: Context, before: Before) => Promise<Answer>,
  options?: OnceOptions<Before>,
) => Promise<Answer>;

/** Options of {@link Once}. */
export interface OnceOptions<Before> {
  /** Runs before the transaction, unless the response is stored already: for calls of other services. */
  readonly before?: () => Promise<Before>;
  /** What requests are compared by, as JSON; default: the body. */
  readonly body?: unknown;
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

/** Makes {@link Once}. */
export function createOnce(contextOf: ContextOf, responses: StoredResponses): Once {
  return async <Answer, Before>(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (context: Context, before: Before) => Promise<Answer>,
    {
      before,
      body = request.body,
      limitMs,
      answerBytesMax = answerBytesMaxDefault,
    }: OnceOptions<Before> = {},
  ): Promise<Answer> => {
    const { url, config } = request.routeOptions;
    if (config.idempotent !== true) throw new Error(`${url} is not declared idempotent.`);
    const context = contextOf(request);
    const key = requestKeyOf(request, body);
    // Without `before` there is nothing to be given.
    if (!key) return work(context, (await before?.()) as Before);
    keyed.add(request);
    const isStored = before !== undefined && (await responses.isStored(context.tenant, key));
    const given = isStored ? undefined : await before?.();
    const answer = await executeOnce({
      tenant: context.tenant,
      key,
      responses,
      limitMs,
      async work(tx) {
        // The response that was stored is a day old now, and gone.
        if (isStored) throw keyInUse();
        uncommitted.add(request);
        try {
          const returned = await work({ ...context, tenant: tx.asScope() }, given as Before);
          if (!uncommitted.has(request)) throw sentEarly();
          return responseOf(returned, reply, answerBytesMax);
        } finally {
          uncommitted.delete(request);
        }
      },
    });
    if (answer.isRepeated) reply.header('idempotency-replayed', 'true');
    return reply.code(answer.status).headers(answer.headers).send(answer.body) as Answer;
  };
}

/** Requests whose key is honoured. */
const keyed = new WeakSet<FastifyRequest>();
/** Requests with a key whose work is not committed yet. */
const uncommitted = new WeakSet<FastifyRequest>();

/** The `onSend` hook of an idempotent route: no client sees what is not committed, or was not done by {@link Once}. */
export async function requireCommitted(request: FastifyRequest, { statusCode }: FastifyReply): Promise<void> {
  if (uncommitted.delete(request)) throw sentEarly();
  const isDone = statusCode < 300 && request.headers[header] !== undefined;
  if (isDone && !keyed.has(request)) throw new Error('An idempotent route does its work by once().');
}

const sentEarly = () => new Error('An idempotent route returns its response, and sends none itself.');

/** Identifies a request with an Idempotency-Key; undefined without one. */
function requestKeyOf(request: FastifyRequest, body: unknown): RequestKey | undefined {
  const { method, headers } = request;
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
