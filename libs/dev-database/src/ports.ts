import { once } from 'node:events';
import { createServer } from 'node:net';

const loopback = '127.0.0.1';

/** Why a port cannot be listened on (EADDRINUSE, EACCES …); undefined when it can. */
export async function portObstacle(port: number, host = loopback): Promise<string | undefined> {
  const probe = createServer();
  try {
    probe.listen({ port, host, exclusive: true });
    await once(probe, 'listening');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}

/** A port that nobody listens on now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen({ port: 0, host: loopback, exclusive: true });
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port');
  return address.port;
}
