import { scimPath } from '@tenantry/contracts';
import { addressKey, trustIn } from '@tenantry/service/addresses';
import { allowedOrigins, allowOrigins, takeCookies, type Origins } from '@tenantry/service/browser';
import { createService, paceWithin, readVersion, type Service } from '@tenantry/service/http';
import type { Logger } from '@tenantry/service/logging';
import { measureShares } from '@tenantry/service/metrics';
import { RateLimits } from '@tenantry/service/rate-limits';
import { BrowserGate } from './browser/browser-gate.ts';
import { MisuseReports } from './browser/misuse-reports.ts';
import { identifyCallers, learnCallers } from './callers/callers.plugin.ts';
import { KnownDirectories } from './callers/known-directories.ts';
import { openKnownUsers, type KnownUsers } from './callers/known-users.ts';
import type { Config } from './config.ts';
import { limitConnections } from './connections/connection-limits.plugin.ts';
import { readConsoleFiles, type ConsoleFiles } from './console/console-files.ts';
import { serveConsole } from './console/console.plugin.ts';
import { docsPlugin } from './docs/docs.plugin.ts';
import { servicesHealth, withOwnRedis } from './health/services-health.ts';
import { exchangeKey } from './callers/key-exchange.ts';
import { ServiceTokens } from './callers/service-tokens.ts';
import { Admission } from './proxy/admission.ts';
import { refuseAmbiguity } from './proxy/ambiguity.plugin.ts';
import { forwardRoutes } from './proxy/forward.plugin.ts';
import { createTracing } from './proxy/tracing.ts';
import { RequestLimits } from './rate-limits/request-limits.ts';
import { limitPreflights, limitRequests } from './rate-limits/request-rate.plugin.ts';
import { routedTarget } from './routing/request-target.ts';
import { covers, parseRouteTable, type RouteTable } from './routing/route-table.ts';
import { serviceTurns, sharedMemory } from './turns/turns.ts';
import { upstreamMeasurements } from './upstream/upstream-metrics.ts';
import { Upstream } from './upstream/upstream.ts';

/** As in package.json, which an image's build stamps with its commit. */
export const version = readVersion(new URL('../package.json', import.meta.url));

/** What a test may choose. */
export interface GatewayOptions {
  /** How long requests wait for their turn at a service, and keys to be exchanged; by default as {@link serviceTurns} says. */
  readonly turnWaitMsMax?: number;
  /** How long Redis may take to answer; by default as {@link RateLimits} says. */
  readonly redisAnswerMsMax?: number | undefined;
  /** The clock of rate limits; by default as {@link RateLimits} says. */
  readonly limitsNow?: () => number;
}

/** Builds the gateway. */
export async function buildApp(
  config: Config,
  logger: Logger,
  { turnWaitMsMax, redisAnswerMsMax, limitsNow }: GatewayOptions = {},
): Promise<Service> {
  const table = parseRouteTable(config.ROUTES, config.UPSTREAM_TIMEOUT_SECONDS);
  const routes = table.map((route) => ({
    ...route,
    upstream: new Upstream(route),
    turns: serviceTurns(route.prefix, turnWaitMsMax),
  }));
  const files =
    config.CONSOLE_DIRECTORY === undefined ? undefined : readConsoleFiles(config.CONSOLE_DIRECTORY);
  const memory = sharedMemory();
  const rateLimits = new RateLimits({
    ...{ redisUrl: config.REDIS_URL, redisAnswerMsMax, logger },
    ...(limitsNow && { now: limitsNow }),
  });
  const limits = new RequestLimits(rateLimits, config.RATE_LIMIT_PER_MINUTE);
  const users = openKnownUsers({ config, table, logger });
  const auth = routes.find(({ takesCookies }) => takesCookies)?.upstream;
  const keys =
    auth &&
    new ServiceTokens((key, headers) => exchangeKey(auth, key, headers), { waitMsMax: turnWaitMsMax });
  const origins = allowedOrigins(config);
  const { TRUST_PROXY: trustProxy } = config;

  const app = await createGatewayService({ config, logger, table, rateLimits, limits });
  const connections = limitConnections(app.server, {
    max: config.CONNECTIONS_MAX,
    perAddressMax: config.CONNECTIONS_PER_ADDRESS_MAX,
    trustProxy,
    logger,
  });
  const shared = [
    memory.bodies,
    memory.answers,
    ...routes.flatMap(({ turns }) => [turns.requests, turns.streams]),
  ];
  app.measure([
    ...upstreamMeasurements(routes),
    ...rateLimits.measurements,
    ...connections.measurements,
    ...shared.flatMap(measureShares),
    ...(keys?.measurements ?? []),
  ]);

  const directories = new KnownDirectories();
  await receiveRequests(app, { origins, limits, users, keys, directories, table, files });
  await docsPlugin(app, { routes: table });
  const misuseReports = new MisuseReports({ auth, logger });
  app.measure(misuseReports.measurements);
  forwardRoutes(app, {
    routes,
    admission: new Admission(memory),
    browsers: new BrowserGate({ origins, misuseReports }),
    keys,
    tracing: createTracing({ ratio: config.TRACE_RATIO }),
    trustProxy,
  });

  app.addHook('onClose', () => {
    for (const { upstream } of routes) upstream.close();
    rateLimits.close();
    users?.close();
  });
  return app;
}

interface GatewayParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly table: RouteTable;
  readonly rateLimits: RateLimits;
  readonly limits: RequestLimits;
}

function createGatewayService({ config, logger, table, rateLimits, limits }: GatewayParts): Promise<Service> {
  const trusts = trustIn(config.TRUST_PROXY);
  return createService({
    name: 'gateway',
    version,
    logger,
    failures: (path) =>
      covers(scimPath, path)
        ? 'scim'
        : (table.find(({ prefix }) => covers(prefix, path))?.failures ?? 'envelope'),
    // Behind a trusted proxy the client is unknown, since the headers could not be read.
    countBroken: async (peer) => (trusts(peer) ? undefined : limits.consumeBroken(addressKey(peer))),
    checks: withOwnRedis(servicesHealth(table), rateLimits.check),
    // Ready means able to route. GET /api/health reports on the services.
    needsDatabase: false,
    trustProxy: config.TRUST_PROXY,
    bodyPace: paceWithin(config),
    publicPrefixes: ['/docs'],
    openapi: { title: 'Tenantry', path: '/docs/gateway.json' },
    production: config.NODE_ENV === 'production',
    keepAliveSeconds: config.KEEP_ALIVE_SECONDS,
    rewriteUrl: routedTarget,
    // A request without a body needs no stream.
    http: { optimizeEmptyRequests: true },
  });
}

interface Reception {
  readonly origins: Origins;
  readonly limits: RequestLimits;
  readonly users: KnownUsers | undefined;
  readonly keys: ServiceTokens | undefined;
  readonly directories: KnownDirectories;
  readonly table: RouteTable;
  /** The console's files, if it is served. */
  readonly files: ConsoleFiles | undefined;
}

/**
 * The hooks before the routes: they see every request in this order, whatever handles it. Those that depend on an earlier one
 * name it, and the gateway does not start without it.
 */
async function receiveRequests(app: Service, reception: Reception): Promise<void> {
  const { origins, limits, users, keys, directories, table, files } = reception;
  await app.register(refuseAmbiguity, { count: ({ ip }) => limits.consumeBroken(addressKey(ip)) });
  if (files) serveConsole(app, { files, routes: table });
  await takeCookies(app);
  await app.register(limitPreflights, { limits });
  await allowOrigins(app, origins);
  await app.register(identifyCallers, { users, keys, directories });
  await app.register(limitRequests, { limits, users, keys, directories });
  if (users) await app.register(learnCallers, { users });
}
