import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { standardHeaders, type Logger } from '@tenantry/service-kit';
import type { BrowserGate } from '../browser/browser-gate.ts';
import { pathOf, pathProblem } from '../routing/request-target.ts';
import { findRoute, type Route, type RouteTable } from '../routing/route-table.ts';
import { Upstream } from '../upstream/upstream.ts';
import { clientOrigin, trustIn, type ClientOrigin, type PeerTrust } from './client-origin.ts';
import { Exchange } from './exchange.ts';
import { newTraceparent, requestIdOf } from './identifiers.ts';
import { invalidPath, refuse, traceRefused, type RefusalTarget } from './refusals.ts';
import { readClientHeaders, type BodyLength, type ClientHeaders } from './request-headers.ts';

/** What the gateway knows of a request before a service sees it. */
export interface IncomingRequest {
  readonly route: Route;
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly origin: ClientOrigin;
}

/** A check of every request that is about to be forwarded; it refuses by throwing an ApiError. */
export type ProxyStep = (request: IncomingRequest) => Promise<void> | void;

/** What a {@link Proxy} is built of. */
export interface ProxyOptions {
  readonly routes: RouteTable;
  /** Addresses and CIDR ranges whose X-Forwarded fields are believed. */
  readonly trustProxy: readonly string[];
  readonly logger: Logger;
  readonly production: boolean;
  readonly browsers: BrowserGate;
  /** Run in turn before a request is forwarded. */
  readonly steps?: readonly ProxyStep[];
}

interface RouteWithUpstream extends Route {
  readonly upstream: Upstream;
}

/** Forwards every request whose path lies in the route table. */
export class Proxy {
  readonly #options: ProxyOptions;
  readonly #routes: readonly RouteWithUpstream[];
  readonly #trust: PeerTrust;
  readonly #logsRequests: boolean;
  readonly #steps: readonly ProxyStep[];
  /** Connections that are closed as soon as the refusal of an ambiguous request is written. */
  readonly #condemned = new WeakSet<Socket>();
  #draining = false;

  constructor(options: ProxyOptions) {
    this.#options = options;
    this.#routes = options.routes.map((route) => ({ ...route, upstream: new Upstream(route) }));
    this.#trust = trustIn(options.trustProxy);
    this.#logsRequests = options.logger.isLevelEnabled('info');
    this.#steps = options.steps ?? [];
  }

  /** From now on every answer asks its client to close the connection. */
  drain(): void {
    this.#draining = true;
  }

  /** Closes the connections to the services; to be called when no request is left. */
  close(): void {
    for (const { upstream } of this.#routes) upstream.close();
  }

  /** Takes a request; false when its path is no service's, and then nothing has happened. */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (this.#condemned.has(request.socket)) return true;
    const path = pathOf(request.url ?? '');
    const route = findRoute(this.#routes, path);
    const problem = pathProblem(path);
    if (!route && problem === undefined) return false;

    let headers: ClientHeaders | undefined;
    let failure: unknown;
    try {
      headers = readClientHeaders(request.rawHeaders);
    } catch (error) {
      // Where this request ends may be in dispute, so nothing after it on this connection is a request.
      this.#condemned.add(request.socket);
      failure = error;
    }
    const requestId = requestIdOf(headers?.requestId);
    const target = this.#refusalTarget({ response, route, requestId, origin: headers?.origin });
    if (this.#logsRequests) this.#logWhenOver(request, response, { path, requestId });

    if (problem !== undefined) refuse(invalidPath(problem), target);
    else if (!headers || !route) refuse(failure, target);
    else if (request.method === 'TRACE') refuse(traceRefused(), target);
    else this.#forward({ request, response, path, route, headers, requestId, target });
    return true;
  }

  #forward(arrival: Arrival): void {
    const origin = this.#originOf(arrival);
    if (this.#steps.length === 0) {
      this.#answer(arrival, origin);
      return;
    }
    this.#runSteps(arrival, origin).then(
      () => {
        if (!arrival.response.destroyed) this.#answer(arrival, origin);
      },
      (error: unknown) => refuse(error, arrival.target),
    );
  }

  async #runSteps({ request, path, route, requestId }: Arrival, origin: ClientOrigin): Promise<void> {
    const incoming = { route, method: request.method ?? '', path, requestId, origin };
    for (const step of this.#steps) await step(incoming);
  }

  #answer(arrival: Arrival, origin: ClientOrigin): void {
    const { request, response, route, headers, requestId, target } = arrival;
    const { browsers, production } = this.#options;
    try {
      if (headers.hasCookie) {
        const { method } = request;
        const asked = { method, headers: request.headers, address: origin.address };
        headers.kept.push(...browsers.credentials(asked, route));
      }
      const preflight =
        request.method === 'OPTIONS' ? browsers.answerPreflight('OPTIONS', request.headers) : undefined;
      if (preflight) {
        const own = { ...standardHeaders(production), 'x-request-id': requestId };
        response.writeHead(204, { ...own, ...preflight }).end();
        return;
      }
    } catch (error) {
      refuse(error, target);
      return;
    }
    this.#exchange(arrival, origin);
  }

  #exchange({ request, response, route, headers, requestId, target }: Arrival, origin: ClientOrigin): void {
    new Exchange({
      request,
      response,
      upstream: route.upstream,
      headers: forwardedHeaders(headers, requestId, origin),
      hasBody: headers.body !== 'none',
      target,
    }).start();
  }

  #originOf({ request, headers: { host, forwarded } }: Arrival): ClientOrigin {
    const address = request.socket.remoteAddress ?? '';
    const peer = address.startsWith('::ffff:') ? address.slice(7) : address;
    return clientOrigin({ peer, host: host ?? '', forwarded, trust: this.#trust });
  }

  #refusalTarget({ response, route, requestId, origin }: Asked): RefusalTarget {
    const { logger, production, browsers } = this.#options;
    return {
      response,
      format: route?.failures ?? 'envelope',
      requestId,
      corsHeaders: browsers.corsHeaders(origin),
      logger,
      production,
      isDraining: this.#isDraining,
    };
  }

  #logWhenOver(
    request: IncomingMessage,
    response: ServerResponse,
    facts: { path: string; requestId: string },
  ): void {
    const startedAt = performance.now();
    response.once('close', () => {
      const durationMs = Math.round((performance.now() - startedAt) * 100) / 100;
      const { statusCode: status, writableFinished: complete } = response;
      const ip = request.socket.remoteAddress;
      this.#options.logger.info(
        { method: request.method, ...facts, ip, status, complete, durationMs },
        'request',
      );
    });
  }

  readonly #isDraining = (): boolean => this.#draining;
}

/** What an answer depends on, whoever gives it. */
interface Asked {
  readonly response: ServerResponse;
  readonly route: Route | undefined;
  readonly requestId: string;
  readonly origin: string | undefined;
}

/** A request of which all is known that the gateway needs. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly route: RouteWithUpstream;
  readonly headers: ClientHeaders;
  readonly requestId: string;
  readonly target: RefusalTarget;
}

/** What the client sent, and what only the gateway says. RFC 9110, 7.6.3: a gateway names itself in Via. */
function forwardedHeaders(headers: ClientHeaders, requestId: string, origin: ClientOrigin): string[] {
  const { kept, body, traceparent } = headers;
  kept.push('x-request-id', requestId, 'traceparent', traceparent ?? newTraceparent());
  kept.push('x-forwarded-for', origin.address, 'x-forwarded-proto', origin.protocol);
  if (origin.host !== '') kept.push('x-forwarded-host', origin.host);
  if (hasLength(body)) kept.push('content-length', body);
  kept.push('via', '1.1 tenantry');
  return kept;
}

const hasLength = (body: BodyLength): boolean => body !== 'none' && body !== 'chunked';
