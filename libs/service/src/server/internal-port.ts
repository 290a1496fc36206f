import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { nothingHere } from '@tenantry/envelope';

/** Where peers reach a service. */
export interface InternalAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Serves paths below /internal only on `internalPort`, and nothing else there, so that a network policy can restrict it to the
 * services that need it.
 */
export function separateInternal(app: FastifyInstance, internalPort: number): void {
  app.addHook('onRequest', ({ routeOptions, url, socket }, _reply, done) => {
    const isInternal = (routeOptions.url ?? url).startsWith('/internal/');
    const cameByInternalPort = socket.localPort === internalPort;
    if (isInternal === cameByInternalPort) done();
    else done(nothingHere);
  });
}

/**
 * Listens on a second port for a service, until the service is closed. Its HTTP server takes the connections over, so
 * limits, timeouts and draining are those of the first port.
 */
export async function openInternalPort(
  service: FastifyInstance,
  { host, port }: InternalAddress,
): Promise<void> {
  // As node:http itself accepts connections: a client may end its side and still read the answer.
  const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    service.server.emit('connection', socket),
  );
  const closed = new Promise<void>((resolve) => door.once('close', resolve));
  // Responses in progress delay the close, like those of the first port.
  service.addHook('preClose', (done) => {
    door.close();
    done();
  });
  service.addHook('onClose', () => closed);
  door.listen({ host, port });
  await once(door, 'listening');
}
