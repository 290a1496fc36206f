import {
  addressKey,
  limitRate,
  type RateLimiter,
  type RateLimits,
  type Service,
} from '@tenantry/service-kit';
import type { ProxyStep } from '../proxy/proxy.ts';

/** The limit on all requests of one client address, unknown paths included. */
export function requestRate(rateLimits: RateLimits, perMinute: number): RateLimiter {
  return rateLimits.limiter({ name: 'requests', windows: [{ max: perMinute, seconds: 60 }] });
}

/** Limits what is forwarded. */
export function limitForwarded(limiter: RateLimiter): ProxyStep {
  return async ({ origin }) => {
    await limiter.consume(addressKey(origin.address));
  };
}

/** What supervisors and load balancers ask: a busy neighbour at their address must not make an instance look dead. */
const probes = new Set(['/api/health/live', '/api/health/ready']);

/** Limits the gateway's own paths and those that are nobody's. */
export function limitOwnPaths(app: Service, limiter: RateLimiter): void {
  const limit = limitRate(limiter, ({ ip }) => addressKey(ip));
  app.addHook('onRequest', async (request) => {
    if (!probes.has(request.routeOptions.url ?? '')) await limit(request);
  });
}
