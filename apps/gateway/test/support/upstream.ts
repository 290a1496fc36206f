import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface RunningUpstream {
  readonly server: Server;
  readonly port: number;
  readonly url: string;
  /** Connections accepted so far. */
  connections: number;
  readonly requests: IncomingMessage[];
}

/** A real service of node:http on a port of the loopback. */
export async function startUpstream(answer: RequestListener, port = 0): Promise<RunningUpstream> {
  const requests: IncomingMessage[] = [];
  // As of the services: a request on a connection that is just being closed is a 502.
  const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actual } = server.address() as AddressInfo;
  const upstream = { server, port: actual, url: `http://127.0.0.1:${actual}`, connections: 0, requests };
  server.on('connection', () => upstream.connections++);
  onTestFinished(() => stop(upstream));
  return upstream;
}

export async function stop({ server }: Pick<RunningUpstream, 'server'>): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** A service that writes bytes of its own choosing. */
export async function startRawUpstream(
  onRequest: (socket: Socket, requestText: string, index: number) => void,
): Promise<{ port: number; url: string; received: string[] }> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    socket.on('data', (data) => {
      received.push(data.toString('latin1'));
      onRequest(socket, data.toString('latin1'), received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port, url: `http://127.0.0.1:${port}`, received };
}

/** A closed port. */
export { freePort as unusedPort } from '@tenantry/test-kit';
