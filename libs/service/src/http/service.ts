import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  type RawServerDefault,
} from 'fastify';
import { answerByAddress } from '../addresses/address-asking.ts';
import { plainForwardedFor, trustIn } from '../addresses/trusted-proxies.ts';
import {
  answerFailures,
  sendFailure,
  type FailureFormat,
  type FailureFormatOf,
} from '../failures/answers.ts';
import { answerUnknownRoutes } from '../failures/unknown-routes.ts';
import { healthRoutes, type HealthChecks, type UnreadyReason } from '../health/health.ts';
import type { Logger } from '../logging/logging.ts';
import { RequestLog } from '../logging/request-log.ts';
import type { MeasuredPool } from '../metrics/database-metrics.ts';
import { measureService } from '../metrics/metrics.ts';
import { describeRoutes, type OpenApiOptions } from '../openapi/document.ts';
import { limitRates } from '../rate-limits/rate-limit.plugin.ts';
import { enforceAccess, type AccessChecks } from '../routes/access.ts';
import { acceptJsonOnly } from '../routes/bodies.ts';
import { answerBrokenRequest, refuseTunnels } from '../server/broken-requests.ts';
import { refuseUnmetRequirements } from '../server/http-requirements.ts';
import { separateInternal } from '../server/internal-port.ts';
import { cutSlowBodies, standardPace, type BodyPace } from '../server/slow-bodies.ts';
import { cutSlowReaders, standardReadPace, type ReadPace } from '../server/slow-readers.ts';
import { headersOfEveryAnswer } from '../server/standard-headers.ts';
import { ClosingResponse, endUnreadBodies } from '../server/unread-bodies.ts';
import { closeSchemas } from '../validation/closed-schemas.ts';
import { refuseIgnoredHeaders } from '../validation/honoured-headers.ts';
import { validatorCompiler } from '../validation/request-parts.ts';
import { traceRequests } from './request-spans.ts';
import { serializerCompiler } from './serializers.ts';

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
    /** From now on readiness fails, and every response asks the client to close its connection. */
    drain: () => void;
    /** Whether that has begun. */
    isDraining: () => boolean;
  }
}

/** Options of {@link Service}. */
export interface ServiceOptions {
  readonly name: string;
  readonly version: string;
  readonly logger: Logger;
  /** The format of errors: the same for all, or by path. */
  readonly failures: FailureFormat | FailureFormatOf;
  /** Counts a peer's bytes that are not HTTP; rejects with the error to send instead. */
  readonly countBroken?: (peer: string) => Promise<unknown>;
  /** The checks behind `config.access`; a service of public routes alone needs none. */
  readonly access?: AccessChecks;
  readonly checks?: HealthChecks;
  /** The connections of its database, to be measured. */
  readonly pool?: MeasuredPool;
  /** Whether the service is unready while its database is down; it is by default. */
  readonly needsDatabase?: boolean;
  /** A further reason not to be ready, checked at every readiness probe. */
  readonly unreadyBecause?: UnreadyReason;
  readonly openapi?: OpenApiOptions;
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  readonly trustProxy?: readonly string[];
  /** The port that alone answers routes below /internal; without it they are on the public one. */
  readonly internalPort?: number | undefined;
  /** Prefixes of third-party routes that are public. */
  readonly publicPrefixes?: readonly string[];
  /** Options of node:http for a service with needs of its own; the limits of every service stay. */
  readonly http?: ServerOptions;
  /** How long an idle connection is kept. Default: 72 s. */
  readonly keepAliveSeconds?: number | undefined;
  /** The path that is routed in place of the one received. */
  readonly rewriteUrl?: FastifyServerOptions['rewriteUrl'];
  /** How slowly a body may arrive. */
  readonly bodyPace?: BodyPace;
  /** How slowly an answer may be read. */
  readonly readPace?: ReadPace;
  /** HSTS: on where the service is reached over TLS. */
  readonly production?: boolean;
}

const bodyBytesMax = 64 * 1024;
const headerBytesMax = 16 * 1024;
const keepAliveSecondsDefault = 72;

/** Runs before anything else in Fastify, because the request log reads the client's address first. */
function urlRewriting({ rewriteUrl, trustProxy }: ServiceOptions): Pick<FastifyServerOptions, 'rewriteUrl'> {
  if (!trustProxy?.length) return rewriteUrl ? { rewriteUrl } : {};
  return {
    rewriteUrl(raw) {
      plainForwardedFor(raw.headers);
      return rewriteUrl ? rewriteUrl.call(this, raw) : (raw.url ?? '/');
    },
  };
}

/** How a service responds, also where no hook of Fastify runs. */
interface Answering {
  readonly trusts: ReturnType<typeof trustIn>;
  readonly complete: ReturnType<typeof headersOfEveryAnswer>;
  readonly brokenRequests: Parameters<typeof answerBrokenRequest>[2];
}

function newInstance(options: ServiceOptions, { trusts, complete, brokenRequests }: Answering): Service {
  const loggerInstance: FastifyBaseLogger = options.logger;
  return fastify({
    loggerInstance,
    logController: new RequestLog(trusts),
    trustProxy: options.trustProxy?.length ? (address) => trusts(address) : false,
    genReqId: requestIdOf,
    bodyLimit: bodyBytesMax,
    // As long as `npm start` waits for a service: a slow machine may need it.
    pluginTimeout: 60_000,
    routerOptions: { maxParamLength: headerBytesMax },
    ...urlRewriting(options),
    // Headers must arrive within 11 s; bodies are limited by their progress.
    requestTimeout: 0,
    http: {
      ...options.http,
      // Of one request as of any: the types of node:http do not see that.
      ServerResponse: ClosingResponse as typeof ServerResponse,
      headersTimeout: 9_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: headerBytesMax,
      // Its refusal would have no body: refuseUnmetRequirements.
      requireHostHeader: false,
    },
    // Longer than any client of ours keeps an idle connection, so that we are never the one to close it first.
    keepAliveTimeout: (options.keepAliveSeconds ?? keepAliveSecondsDefault) * 1_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // No hook runs for these.
    frameworkErrors: (error, request, reply) => {
      complete(reply);
      sendFailure(error, request, reply, brokenRequests.formatOf);
    },
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, brokenRequests),
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/**
 * Creates the Fastify instance that every service starts from: strict validation, default-deny access, one shape of failure,
 * health, OpenAPI, request ids, security headers, and limits on size and time.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { name, version, logger, failures, checks = {} } = options;
  const formatOf = typeof failures === 'function' ? failures : () => failures;
  const brokenRequests = { formatOf, count: options.countBroken };
  const trusts = trustIn(options.trustProxy ?? []);
  const complete = headersOfEveryAnswer(options.production ?? false);
  const app = newInstance(options, { trusts, complete, brokenRequests });
  let draining = false;

  app.decorate('drain', () => {
    draining = true;
  });
  app.decorate('isDraining', () => draining);
  app.decorateRequest('traceId');
  app.decorateRequest('isRoutine');
  traceRequests(app, trusts);
  measureService(app, { name, version, pool: options.pool });
  if (options.pool) answerByAddress(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  acceptJsonOnly(app);
  answerFailures(app, formatOf);
  if (options.internalPort !== undefined) separateInternal(app, options.internalPort);
  answerUnknownRoutes(app);
  closeSchemas(app);
  refuseIgnoredHeaders(app);
  // '*' is the route of @fastify/cors, which answers preflights alone.
  enforceAccess(app, { checks: options.access, publicPrefixes: ['*', ...(options.publicPrefixes ?? [])] });

  refuseTunnels(app.server, brokenRequests);
  refuseUnmetRequirements(app);
  const bodyPace = options.bodyPace ?? standardPace;
  cutSlowBodies(app, bodyPace);
  endUnreadBodies(app.server, bodyPace);
  cutSlowReaders(app.server, options.readPace ?? standardReadPace);
  app.addHook('onSend', (_request, reply, payload, done) => {
    complete(reply);
    // Read as late as possible, so that requests running when the drain begins also close their connection.
    if (draining) reply.header('connection', 'close');
    done(null, payload);
  });
  await app.register(limitRates);

  if (options.openapi) await describeRoutes(app, { ...options.openapi, version, failures: formatOf('/') });
  healthRoutes(app, {
    version,
    checks,
    needsDatabase: options.needsDatabase ?? true,
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
