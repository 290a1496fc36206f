import type { RequestListener, Server } from 'node:http';
import {
  allowedOrigins,
  createRateLimits,
  createService,
  readVersion,
  type Logger,
  type Service,
} from '@tenantry/service-kit';
import { createBrowserGate } from './browser/browser-gate.ts';
import type { Config } from './config.ts';
import { docsPlugin } from './docs/docs.plugin.ts';
import { servicesHealth, withOwnRedis } from './health/services-health.ts';
import { Proxy } from './proxy/proxy.ts';
import { limitForwarded, limitOwnPaths, requestRate } from './rate-limits/request-rate.ts';
import { parseRouteTable } from './routing/route-table.ts';

const version = readVersion(new URL('../package.json', import.meta.url));

/** Builds the gateway: the proxy in front, and behind it Fastify for the paths that are the gateway's own. */
export async function buildApp(config: Config, logger: Logger): Promise<Service> {
  const routes = parseRouteTable(config.ROUTES, config.UPSTREAM_TIMEOUT_SECONDS);
  const production = config.NODE_ENV === 'production';
  const rateLimits = createRateLimits({ redisUrl: config.REDIS_URL, logger });
  const limiter = requestRate(rateLimits, config.RATE_LIMIT_PER_MINUTE);
  const steps = [limitForwarded(limiter)];
  const browsers = createBrowserGate({ origins: allowedOrigins(config), routes, logger });
  const proxy = new Proxy({ routes, trustProxy: config.TRUST_PROXY, logger, production, browsers, steps });

  const app = await createService({
    name: 'gateway',
    version,
    logger,
    failures: 'envelope',
    ...withOwnRedis(servicesHealth(routes), rateLimits.check),
    trustProxy: config.TRUST_PROXY,
    publicPrefixes: ['/docs'],
    production,
    // A request without a body is not set up as a stream; the gateway's own routes read no bodies at all.
    http: { optimizeEmptyRequests: true },
  });
  limitOwnPaths(app, limiter);
  await app.register(docsPlugin, { routes });

  putInFront(app.server, proxy);
  const { drain } = app;
  app.drain = () => {
    proxy.drain();
    drain();
  };
  app.addHook('onClose', () => {
    proxy.close();
    rateLimits.close();
  });
  return app;
}

/**
 * Lets the proxy have every request first. A proxied request has no use for what Fastify prepares (parsing,
 * validation, serialization, a logger of its own), and that costs as much as forwarding it.
 */
function putInFront(server: Server, proxy: Proxy): void {
  const [answerOwnPath] = server.listeners('request') as RequestListener[];
  if (!answerOwnPath) throw new Error('Fastify listens to no request');
  server.removeAllListeners('request').on('request', (request, response) => {
    if (!proxy.take(request, response)) answerOwnPath(request, response);
  });
}
