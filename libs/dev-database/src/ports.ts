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

// Below the ports that systems give to outgoing connections (from 32768 on Linux, from 49152 elsewhere): of those, one
// that is free now may belong to a connection before anybody listens on it.
const firstPort = 20_000;
const portsEnd = 32_768;
const attemptsMax = 100;

/** A port that nobody listens on now, and that no process was given before which still runs: who asked may not listen yet. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const port = randomInt(firstPort, portsEnd);
    if ((await reserve(port)) && (await portObstacle(port)) === undefined) return port;
  }
  throw new Error(`No port between ${firstPort} and ${portsEnd} is free.`);
}

/**
 * Takes the UDP port of the same number for as long as this process runs, which nobody uses here: others who look for a port take
 * another one. @returns whether it was still to be had
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
