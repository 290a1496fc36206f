import { once } from 'node:events';
import { createServer } from 'node:http';
import { collectDefaultMetrics } from '@prometheus-io/client';
import type { Service } from './service.ts';

/** Where metrics are read. */
export interface MetricsAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves a service's metrics and those of its process (processor time, memory, event loop, garbage collection) on a port of
 * their own, until the service is closed. They show how busy a service is and which routes it has, so the port must not be
 * reachable for clients.
 */
export async function serveMetrics(service: Service, { host, port }: MetricsAddress): Promise<void> {
  const { metrics } = service;
  collectDefaultMetrics({ register: metrics });
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      (error: unknown) => {
        service.log.error({ err: error }, 'the metrics could not be collected');
        response.writeHead(500).end();
      },
    );
  });
  service.addHook('onClose', async () => {
    server.close();
    server.closeAllConnections();
  });
  server.listen({ host, port });
  await once(server, 'listening');
}
