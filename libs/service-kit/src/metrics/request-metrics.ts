import { Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts and times the requests of a Fastify instance by method, route pattern and status. No label is ever taken from
 * what a client sends: an unknown path is `unknown`.
 */
export function measureRequests(app: FastifyInstance, registry: Registry): void {
  let running = 0;
  new Gauge({
    name: 'tenantry_http_requests_in_flight',
    help: 'Requests that are being answered',
    registers: [registry],
    collect() {
      this.set(running);
    },
  });
  const durations = new Histogram({
    name: 'tenantry_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets,
    registers: [registry],
  });

  app.addHook('onRequest', (_request, _reply, done) => {
    running += 1;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    running -= 1;
    const route = request.is404 ? unknownRoute : (request.routeOptions.url ?? unknownRoute);
    const labels = { method: request.method, route, status: reply.statusCode };
    durations.observe(labels, reply.elapsedTime / 1_000);
    done();
  });
}

const unknownRoute = 'unknown';
