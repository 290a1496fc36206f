import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Identity } from '@tenantry/jwt-verify';
import type {} from '@tenantry/jwt-verify/fastify';
import { readTraceparent } from '@tenantry/tracing';
import type { PeerTrust } from '../addresses/trusted-proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace that this process began for the request; one that a trusted proxy began is read from its header. */
    traceId?: string | undefined;
    /** Whether it is logged at `debug` alone: the files of a page, of which each load asks for many. */
    isRoutine?: boolean | undefined;
  }
}

/**
 * One line per request, written when it has ended: answered, or aborted (`complete` is false). The path alone: a query string
 * may carry what must not be logged.
 */
export class RequestLog extends fastify.LogController {
  readonly #trusts: PeerTrust;

  /** @param trusts whose `traceparent` is believed. */
  constructor(trusts: PeerTrust) {
    super({ requestIdLogLabel: 'requestId' });
    this.#trusts = trusts;
  }

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    const log = request.log as unknown as Pick<Logger, 'debug' | 'info' | 'isLevelEnabled'>;
    // Read now, because a socket that is read once remembers its peer after closing; if it is closed already, no response is
    // sent.
    const { remoteAddress } = request.raw.socket;
    if (!log.isLevelEnabled('info') || remoteAddress === undefined) return;
    const received = this.#trusts(remoteAddress) ? traceIdIn(request.headers['traceparent']) : undefined;
    // The same applies to the client behind a proxy: a body that is not read to its end closes the socket.
    const described = describeRequest(request);
    reply.raw.once('close', () => {
      const { statusCode: status, writableFinished: complete } = reply.raw;
      const durationMs = rounded(reply.elapsedTime);
      const { traceId = received, identity } = request;
      const caller = identity && callerIn(identity);
      const level = request.isRoutine === true ? 'debug' : 'info';
      log[level]({ ...described, status, complete, durationMs, traceId, ...caller }, 'request');
    });
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest): void {
    if (error) request.log.warn({ err: error }, 'the response could not be written');
  }
}

const callerIn = ({ kind, userId, organizationId }: Identity): object =>
  kind === 'user' ? { userId, organizationId } : { serviceAccountId: userId, organizationId };

/** The logged parts of a request. */
export function describeRequest({
  method,
  originalUrl,
  ip,
}: Pick<FastifyRequest, 'method' | 'originalUrl' | 'ip'>): object {
  const queryStart = originalUrl.indexOf('?');
  const path = queryStart < 0 ? originalUrl : originalUrl.slice(0, queryStart);
  return { method, path: path.replaceAll(tokenShape, '$1…'), ip };
}

/** One of our tokens in a path, such as that of a mailed invitation: its prefix is enough for the log. */
const tokenShape = /\b(t[a-z]{2}_)[\w-]{20,}/g;

const rounded = (ms: number): number => Math.round(ms * 100) / 100;

/** The trace id of a `traceparent` (W3C Trace Context, 3.2); undefined where it is not one. */
export function traceIdIn(traceparent: unknown): string | undefined {
  return readTraceparent(traceparent)?.traceId;
}
