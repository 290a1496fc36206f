import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
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

// Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere): one of those that is free now may be taken by an
// outgoing connection before it is listened on.
const firstPort = 20_000;
const portsEnd = 32_768;
const attemptsMax = 100;

/** A free port that has not been handed to another running process, which may not listen on it yet. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(firstPort, portsEnd);
    if ((await reserve(port)) && (await portObstacle(port)) === undefined) return port;
  }
  throw new Error(`No port between ${firstPort} and ${portsEnd} is free.`);
}

/**
 * Reserves the number for as long as this process runs, by binding the UDP port of the same number, which is otherwise unused.
 * @returns whether it was still free
 */
async function reserve(port: number): Promise<boolean> {
  const claim = createSocket('udp4').unref();
  try {
    claim.bind({ port, address: loopback, exclusive: true });
    await once(claim, 'listening');
    return true;
  } catch {
    claim.close();
    return false;
  }
}
