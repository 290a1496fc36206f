import { addressKey, limitedBy, type RateLimits, type Service } from '@tenantry/service-kit';

/** What supervisors and load balancers ask: a busy neighbour at their address must not make an instance look dead. */
const probes = new Set(['/api/health/live', '/api/health/ready']);

/** Limits all requests of one client address, unknown paths included. */
export function limitRequests(app: Service, rateLimits: RateLimits, perMinute: number): void {
  const windows = [{ max: perMinute, seconds: 60 }];
  const limiter = rateLimits.limiter({ name: 'requests', counted: 'requests from your network', windows });
  const exempts = ({ originalUrl }: { originalUrl: string }): boolean => probes.has(originalUrl);
  app.addHook('onRequest', app.rateLimit(limitedBy(limiter, ({ ip }) => addressKey(ip), { exempts })));
}
