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
  const durations = new Map<string, Durations>();
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
      read: () => [...durations.values()],
    },
  ]);

  app.addHook('onRequest', (_request, _reply, done) => {
    running += 1;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    running -= 1;
    const { method } = request;
    const route = request.is404 ? unknownRoute : (request.routeOptions.url ?? unknownRoute);
    const key = `${reply.statusCode} ${method} ${route}`;
    let of = durations.get(key);
    if (!of) {
      const labels = { method, route, status: String(reply.statusCode) };
      of = { labels, bounds, counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 };
      durations.set(key, of);
    }
    count(of, reply.elapsedTime / 1_000);
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
