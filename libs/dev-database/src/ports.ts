import { randomInt } from 'node:crypto';
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

// Below the ports that systems give to outgoing connections (from 32768 on Linux, from 49152 elsewhere): of those, one
// that is free now may belong to a connection before anybody listens on it.
const firstPort = 20_000;
const portsEnd = 32_768;
const attemptsMax = 100;
const given = new Set<number>();

/** A port that nobody listens on now, and that this process was not given before: who asked may not listen yet. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(firstPort, portsEnd);
    if (given.has(port) || (await portObstacle(port)) !== undefined) continue;
    given.add(port);
    return port;
  }
  throw new Error(`No port between ${firstPort} and ${portsEnd} is free.`);
}
