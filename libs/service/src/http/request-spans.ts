import { beginRequest, endSpan, isTracing, runIn, runsIn, type Span } from '@tenantry/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PeerTrust } from '../addresses/trusted-proxies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request, where the process traces; it is not always one that is recorded. */
    span?: Span | undefined;
  }
}

/**
 * Makes each request a span, named by its method and route pattern, and runs its handling as a part of that. It continues the
 * trace of a trusted peer, which has decided whether it is recorded, and starts a new one for all others: a client could
 * otherwise choose trace ids and have everything recorded.
 *
 * Adds nothing where the process does not trace.
 */
export function traceRequests(app: FastifyInstance, trusts: PeerTrust): void {
  app.decorateRequest('span');
  if (!isTracing()) return;

  app.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers, method } = request;
    const traceparent = trusts(raw.socket.remoteAddress) ? headers['traceparent'] : undefined;
    const span = beginRequest(method, { traceparent });
    request.span = span;
    request.traceId = span.spanContext().traceId;
    runIn(span, done);
  });
  // A body arrives in the context of its connection.
  app.addHook('preValidation', ({ span }, _reply, done) => {
    if (!span || runsIn(span)) done();
    else runIn(span, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.span?.isRecording()) end(request.span, request, reply);
    done();
  });
}

function end(span: Span, request: FastifyRequest, reply: FastifyReply): void {
  const { method, id } = request;
  const route = routeOf(request);
  if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': reply.statusCode,
    'tenantry.request_id': id,
  });
  endSpan(span, failureOf(reply));
}

function failureOf({ statusCode, raw }: FastifyReply): string | undefined {
  if (statusCode >= 500) return String(statusCode);
  return raw.writableEnded ? undefined : 'broken-off';
}

/** The pattern, never the path; undefined where no route matches. */
function routeOf({ is404, routeOptions }: FastifyRequest): string | undefined {
  return is404 ? undefined : routeOptions.url;
}
