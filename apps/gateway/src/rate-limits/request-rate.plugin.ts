import { addressKey } from '@tenantry/service-kit/addresses';
import { isPreflight } from '@tenantry/service-kit/browser';
import { limitedBy } from '@tenantry/service-kit/rate-limits';
import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { keyOf, type RequestLimits } from './request-limits.ts';

/** Probes of supervisors and load balancers: other requests of their address must not make an instance look dead. */
const probes = new Set(['/api/health/live', '/api/health/ready']);

interface RequestRateOptions {
  readonly limits: RequestLimits;
}

/** Limits the requests of each caller, unknown paths included. */
export const limitRequests = fp(
  async (app: FastifyInstance, { limits }: RequestRateOptions) => {
    const exempts = ({ originalUrl }: { originalUrl: string }): boolean => probes.has(originalUrl);
    app.addHook('onRequest', app.rateLimit(limitedBy(limits, ({ caller }) => keyOf(caller), { exempts })));
  },
  { name: 'request-limits', dependencies: ['rate-limits', 'callers'] },
);

/** Limits preflights; the hook that answers them comes after it and ends the request. */
export const limitPreflights = fp(
  async (app: FastifyInstance, { limits }: RequestRateOptions) => {
    app.addHook('onRequest', ({ method, headers, ip }, _reply, done) => {
      if (isPreflight(method, headers)) limits.consumePreflight(addressKey(ip)).then(() => done(), done);
      else done();
    });
  },
  { name: 'preflight-limits', dependencies: ['ambiguity'] },
);
