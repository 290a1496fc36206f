import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ApiError } from '@tenantry/envelope';
import fastify, { type FastifyBaseLogger, type FastifyInstance, type RawServerDefault } from 'fastify';
import { enforceAccess, type AccessChecks } from './access.ts';
import { acceptJsonOnly } from './bodies.ts';
import { answerFailures, failureBody, sendFailure, type FailureFormat } from './failures/answers.ts';
import { healthRoutes, type HealthChecks, type UnreadyReason } from './health.ts';
import type { Logger } from './logging.ts';
import { answerUnknownRoutes } from './failures/unknown-routes.ts';
import { describeRoutes, type OpenApiOptions } from './openapi.ts';
import { RequestLog } from './request-log.ts';
import { closeSchemas } from './validation/closed-schemas.ts';
import { validatorCompiler } from './validation/request-parts.ts';

/** A Fastify instance whose schemas are TypeBox's. */
export type Service = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on readiness says no, and every answer asks the client to close its connection. */
    drain: () => void;
  }
}

/** What a service is built of. */
export interface ServiceOptions {
  readonly name: string;
  readonly version: string;
  readonly logger: Logger;
  readonly failures: FailureFormat;
  /** The checks behind `config.access`; a service of public routes alone needs none. */
  readonly access?: AccessChecks;
  readonly checks?: HealthChecks;
  /** A reason not to be ready beyond the checks, asked at every readiness probe. */
  readonly unreadyBecause?: UnreadyReason;
  readonly openapi?: OpenApiOptions;
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustProxy?: readonly string[];
  /** Prefixes of third-party routes that are public. */
  readonly publicPrefixes?: readonly string[];
  /** Options of node:http for a service with needs of its own; the kit's limits stay. */
  readonly http?: ServerOptions;
  /** HSTS: on where the service is reached over TLS. */
  readonly production?: boolean;
}

const bodyBytesMax = 64 * 1024;
const headerBytesMax = 16 * 1024;

/**
 * Makes the Fastify instance that every service starts from: strict validation, default-deny access, one shape of
 * failure, health, OpenAPI, request ids, security headers, and limits on size and time.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { name, version, logger, failures, checks = {} } = options;
  const loggerInstance: FastifyBaseLogger = logger;
  let draining = false;

  const app: Service = fastify({
    loggerInstance,
    logController: new RequestLog(),
    trustProxy: options.trustProxy?.length ? [...options.trustProxy] : false,
    genReqId: requestIdOf,
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: headerBytesMax },
    // One alone does nothing: the three together cut a slow client after at most 12 s.
    requestTimeout: 10_000,
    http: {
      ...options.http,
      headersTimeout: 9_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: headerBytesMax,
    },
    // Longer than any client of ours keeps an idle connection, so that we are never the one to close it first.
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply, failures),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, failures),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.decorate('drain', () => {
    draining = true;
  });
  app.setValidatorCompiler(validatorCompiler);
  acceptJsonOnly(app);
  answerFailures(app, failures);
  answerUnknownRoutes(app);
  closeSchemas(app);
  enforceAccess(app, { checks: options.access, publicPrefixes: options.publicPrefixes });

  const headers = standardHeaders(options.production ?? false);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(headers);
    done();
  });
  // Asked at the last moment, so that requests already running when the drain begins let go of their connection too.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining) reply.header('connection', 'close');
    done(null, payload);
  });

  if (options.openapi) await describeRoutes(app, { ...options.openapi, version, failures });
  healthRoutes(app, {
    version,
    checks,
    unreadyBecause: options.unreadyBecause,
    isDraining: () => draining,
  });
  logger.debug({ name }, 'service built');
  return app;
}

const acceptableRequestId = /^[A-Za-z0-9._-]{1,64}$/;

function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptableRequestId.test(given) ? given : randomUUID();
}

/** Answers are data for one client: never sniffed, framed, cached or referred. ASVS 5.0, 3.4. */
export function standardHeaders(production: boolean): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...(production ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

/** A request that is not even HTTP gets its refusal written on the bare socket. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, format: FailureFormat): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { refusal, statusLine } = brokenRequest(error.code);
  const requestId = randomUUID();
  const body = JSON.stringify(failureBody(format, refusal, requestId));
  const head = [
    `HTTP/1.1 ${statusLine}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function brokenRequest(code: string | undefined): { refusal: ApiError; statusLine: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = 'The path and headers are larger than 16 KiB.';
    return {
      refusal: new ApiError('HEADERS_TOO_LARGE', message),
      statusLine: '431 Request Header Fields Too Large',
    };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const refusal = new ApiError('REQUEST_TIMEOUT', 'The request did not arrive in time.', {
      statusCode: 408,
    });
    return { refusal, statusLine: '408 Request Timeout' };
  }
  return {
    refusal: new ApiError('VALIDATION_ERROR', 'This is not a valid HTTP request.'),
    statusLine: '400 Bad Request',
  };
}
