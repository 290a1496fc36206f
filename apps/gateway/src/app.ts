import {
  allowedOrigins,
  allowOrigins,
  createRateLimits,
  addressKey,
  createService,
  measureShares,
  readVersion,
  takeCookies,
  type Logger,
  type Service,
} from '@tenantry/service-kit';
import { createBrowserGate } from './browser/browser-gate.ts';
import { createMisuseReports } from './browser/misuse-reports.ts';
import type { Config } from './config.ts';
import { limitConnections } from './connections/connection-limits.plugin.ts';
import { docsPlugin } from './docs/docs.plugin.ts';
import { servicesHealth, withOwnRedis } from './health/services-health.ts';
import { Admission } from './proxy/admission.ts';
import { refuseAmbiguity } from './proxy/ambiguity.plugin.ts';
import { forwardRoutes } from './proxy/forward.plugin.ts';
import { createTracing } from './proxy/tracing.ts';
import { limitRequests } from './rate-limits/request-rate.plugin.ts';
import { routedTarget } from './routing/request-target.ts';
import { parseRouteTable } from './routing/route-table.ts';
import { bodyPlaces, serviceTurns } from './turns/turns.ts';
import { upstreamMeasurements } from './upstream/upstream-metrics.ts';
import { Upstream } from './upstream/upstream.ts';

/** As in package.json, which an image's build stamps with its commit. */
export const version = readVersion(new URL('../package.json', import.meta.url));

/** Builds the gateway. The hooks before the routes see every request in this order, whatever answers it. */
export async function buildApp(config: Config, logger: Logger): Promise<Service> {
  const table = parseRouteTable(config.ROUTES, config.UPSTREAM_TIMEOUT_SECONDS);
  const routes = table.map((route) => ({
    ...route,
    upstream: new Upstream(route),
    turns: serviceTurns(route.prefix),
  }));
  const bodies = bodyPlaces();
  const rateLimits = createRateLimits({ redisUrl: config.REDIS_URL, logger });
  const { TRUST_PROXY: trustProxy } = config;

  const app = await createService({
    name: 'gateway',
    version,
    logger,
    failures: 'envelope',
    checks: withOwnRedis(servicesHealth(table), rateLimits.check),
    // Ready means: it can route. How the services are is for GET /api/health to say.
    needsDatabase: false,
    trustProxy,
    publicPrefixes: ['/docs'],
    openapi: { title: 'Tenantry', path: '/docs/gateway.json' },
    production: config.NODE_ENV === 'production',
    keepAliveSeconds: config.KEEP_ALIVE_SECONDS,
    rewriteUrl: routedTarget,
    // A request without a body is not set up as a stream.
    http: { optimizeEmptyRequests: true },
  });
  const connections = limitConnections(app.server, {
    max: config.CONNECTIONS_MAX,
    perAddressMax: config.CONNECTIONS_PER_ADDRESS_MAX,
    trustProxy,
    logger,
  });
  const shared = [bodies, ...routes.flatMap(({ turns }) => [turns.requests, turns.streams])];
  app.measure([
    ...upstreamMeasurements(routes),
    ...rateLimits.measurements,
    ...connections.measurements,
    ...shared.flatMap(measureShares),
  ]);

  const origins = allowedOrigins(config);
  refuseAmbiguity(app);
  await takeCookies(app);
  await allowOrigins(app, origins);
  limitRequests(app, rateLimits, config.RATE_LIMIT_PER_MINUTE);

  await docsPlugin(app, { routes: table });
  const auth = routes.find(({ takesCookies }) => takesCookies)?.upstream;
  const misuseReports = createMisuseReports({ auth, logger });
  forwardRoutes(app, {
    routes,
    admission: new Admission({ bodies }),
    callerOf: ({ ip }) => ({ address: addressKey(ip) }),
    browsers: createBrowserGate({ origins, misuseReports }),
    tracing: createTracing({ ratio: config.TRACE_RATIO }),
    trustProxy,
  });

  app.addHook('onClose', () => {
    for (const { upstream } of routes) upstream.close();
    rateLimits.close();
  });
  return app;
}
