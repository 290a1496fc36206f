import { addressKey, isPreflight, limitedBy, type Service } from '@tenantry/service-kit';
import { keyOf, type RequestLimits } from './request-limits.ts';

/** What supervisors and load balancers ask: a busy neighbour at their address must not make an instance look dead. */
const probes = new Set(['/api/health/live', '/api/health/ready']);

/** Limits the requests of each caller, unknown paths included. */
export function limitRequests(app: Service, limits: RequestLimits): void {
  const exempts = ({ originalUrl }: { originalUrl: string }): boolean => probes.has(originalUrl);
  app.addHook('onRequest', app.rateLimit(limitedBy(limits, ({ caller }) => keyOf(caller), { exempts })));
}

/** Limits preflights, which the hook that answers them lets nobody else see. */
export function limitPreflights(app: Service, limits: RequestLimits): void {
  app.addHook('onRequest', ({ method, headers, ip }, _reply, done) => {
    if (isPreflight(method, headers)) limits.consumePreflight(addressKey(ip)).then(() => done(), done);
    else done();
  });
}
