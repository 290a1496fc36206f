import type { FastifyInstance } from 'fastify';
import type { Distribution, Labels, Measurement } from './measurement.ts';

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Durations extends Distribution {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
}

/**
 * Counts and times the requests of a Fastify instance by method, route pattern and status. No label is ever taken from
 * what a client sends: an unknown path is `unknown`, and a method is one that Node.js knows.
 *
 * @returns how many are being answered
 */
export function measureRequests(
  app: FastifyInstance,
  measure: (measurements: readonly Measurement[]) => void,
): () => number {
  let running = 0;
  // Nested by route, method and status: a combined key would be a string to build and hash for each request.
  const byRoute = new Map<string, Map<string, Map<number, Durations>>>();
  const all: Durations[] = [];
  measure([
    {
      name: 'tenantry_http_requests_in_flight',
      help: 'Requests that are being answered',
      type: 'gauge',
      read: () => [{ value: running }],
    },
    {
      name: 'tenantry_http_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer',
      type: 'histogram',
      read: () => all,
    },
  ]);

  function durationsOf(route: string, method: string, status: number): Durations {
    const known = byRoute.get(route)?.get(method)?.get(status);
    if (known) return known;
    const labels = { method, route, status: String(status) };
    const durations = { labels, bounds, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
    const byMethod = byRoute.get(route) ?? new Map<string, Map<number, Durations>>();
    const byStatus = byMethod.get(method) ?? new Map<number, Durations>();
    byRoute.set(route, byMethod.set(method, byStatus.set(status, durations)));
    all.push(durations);
    return durations;
  }

  app.addHook('onRequest', (_request, _reply, done) => {
    running += 1;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    running -= 1;
    const { method } = request;
    // The getter creates an object of twelve fields at each call.
    const { url: route = unknownRoute } = request.routeOptions;
    const durations = durationsOf(route, method, reply.statusCode);
    count(durations, reply.elapsedTime / 1_000);
    done();
  });
  return () => running;
}

const unknownRoute = 'unknown';

function count(durations: Durations, seconds: number): void {
  let index = 0;
  while (index < bounds.length && seconds > (bounds[index] ?? Infinity)) index += 1;
  durations.counts[index] = (durations.counts[index] ?? 0) + 1;
  durations.sum += seconds;
}
