import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of this machine that does not answer yet. */
export interface LoopbackServer {
  readonly server: Server;
  readonly address: string;
}

/** Listens on a free port until the tests end, as `until` says. */
export async function listenUntil(until: (end: () => void) => void): Promise<LoopbackServer> {
  // A connection that is closed for having been idle could be one on which the next request is under way.
  const server = createServer({ keepAliveTimeout: 0 });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  until(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
