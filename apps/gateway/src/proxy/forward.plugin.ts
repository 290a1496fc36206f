import { METHODS } from 'node:http';
import { scimPath } from '@tenantry/contracts';
import { NoShareError } from '@tenantry/fair-shares';
import { trustIn, type PeerTrust } from '@tenantry/service/addresses';
import { addressOf, sessionCookies } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { traceIdIn } from '@tenantry/service/logging';
import { beginSpan, endSpan } from '@tenantry/tracing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserGate } from '../browser/browser-gate.ts';
import type { ServiceTokens } from '../callers/service-tokens.ts';
import { pathOf } from '../routing/request-target.ts';
import { covers, type Route } from '../routing/route-table.ts';
import type { ServiceTurns } from '../turns/turns.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { Admission } from './admission.ts';
import { directoryNotHere, keyNotHere, noTurn, traceRefused } from './refusals.ts';
import { isHost, type BodyLength } from './request-headers.ts';
import { continueTrace, type Tracing } from './tracing.ts';

/** A route of the table and the service behind it. */
export interface RouteWithUpstream extends Route {
  readonly upstream: Upstream;
  readonly turns: ServiceTurns;
}

export interface ForwardOptions {
  readonly routes: readonly RouteWithUpstream[];
  readonly admission: Admission;
  readonly browsers: BrowserGate;
  /** Undefined if no route leads to auth-service, which exchanges keys. */
  readonly keys: ServiceTokens | undefined;
  readonly tracing: Tracing;
  /** Addresses and CIDR ranges whose X-Forwarded fields and traces are believed. */
  readonly trustProxy: readonly string[];
}

/** CONNECT is not a request to a service. */
const methods = METHODS.filter((method) => method !== 'CONNECT');

/** Forwards every request whose path matches the route table. */
export function forwardRoutes(app: Service, { routes, ...options }: ForwardOptions): void {
  // Fastify sees no request bodies: they are streamed, whatever their type, and never parsed.
  for (const method of methods) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  const forwarding = { ...options, trusts: trustIn(options.trustProxy) };
  for (const route of routes) {
    for (const url of [route.prefix, `${route.prefix}/*`]) {
      app.route({
        method: methods,
        url,
        schema: { hide: true },
        config: { access: 'public' },
        handler: (request, reply) => {
          forward({ request, reply, route }, forwarding);
        },
      });
    }
  }
}

interface Arrival {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly route: RouteWithUpstream;
}

interface Forwarding extends Pick<ForwardOptions, 'admission' | 'browsers' | 'keys' | 'tracing'> {
  readonly trusts: PeerTrust;
}

function forward({ request, reply, route }: Arrival, forwarding: Forwarding): void {
  const { admission, browsers, keys, tracing, trusts } = forwarding;
  const { originalUrl, method } = request;
  if (method === 'TRACE') throw traceRefused();
  // Fastify matches the decoded path. A prefix that appears only after decoding does not count.
  if (originalUrl.includes('%') && !covers(route.prefix, pathOf(originalUrl))) {
    reply.callNotFound();
    return;
  }
  const { caller, key, directory } = request;
  if (key && route.takesCookies) throw keyNotHere();
  if (directory && !covers(scimPath, pathOf(originalUrl))) throw directoryNotHere();
  const { kept: headers, body: bodyLength, trace } = request.clientHeaders;
  const address = addressOf(request.ip) ?? request.ip;
  if (request.headers.cookie !== undefined) {
    const cookies = sessionCookies(request.cookies);
    headers.push(...browsers.credentials({ method, headers: request.headers, cookies, address }, route));
  }
  const trusted = trusts(request.raw.socket.remoteAddress);
  const span = request.span && beginSpan('exchange', { kind: 'client' }, request.span);
  const traceHeaders = span ? continueTrace(span, trace, trusted) : tracing(trace, trusted);
  request.traceId = traceIdIn(traceHeaders[1]);
  if (hasLength(bodyLength)) headers.push('content-length', bodyLength);
  const ownFrom = headers.length;
  headers.push(...traceHeaders);
  headers.push('x-request-id', request.id, 'x-forwarded-for', address);
  headers.push('x-forwarded-proto', request.protocol === 'https' ? 'https' : 'http');
  const host = hostOf(request);
  if (host !== '') headers.push('x-forwarded-host', host);
  // RFC 9110, 7.6.3: a gateway names itself.
  headers.push('via', '1.1 tenantry');

  const { upstream, turns, takesCookies: setsCookies } = route;
  const waiting = { request, reply, caller, upstream, bodyLength, setsCookies, span };
  if (!key || !keys) {
    admission.admit({ ...waiting, headers }, turns);
    return;
  }
  const goOn = (token: string): void => {
    key.token = token;
    admission.admit({ ...waiting, headers: authorizedBy(token, headers) }, turns);
  };
  const refuse = (error: unknown): void => {
    if (span) endSpan(span, 'refused');
    if (!reply.sent && !reply.raw.destroyed)
      reply.send(error instanceof NoShareError ? noTurn(error) : error);
  };
  const token = keys.find(key);
  if (token !== undefined) goOn(token);
  else keys.take(key, caller, headers.slice(ownFrom)).then(goOn).catch(refuse);
}

/** The header fields with this token in place of the client's. */
function authorizedBy(token: string, headers: readonly string[]): string[] {
  const others = headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== 'authorization');
  return [...others, 'authorization', `Bearer ${token}`];
}

/** The host that the client requested: from a trusted proxy's header, otherwise from its own. */
function hostOf({ host, headers }: FastifyRequest): string {
  return isHost(host) ? host : (headers.host ?? '');
}

const hasLength = (body: BodyLength): boolean => body !== 'none' && body !== 'chunked';
