import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ExplainedError } from '@tenantry/dev-database';
import type { ServiceDescription } from '../services.ts';

/** A server as node:net itself knows it: it does not tell the descriptor, and a process is handed nothing else. */
interface ListeningSocket extends Server {
  readonly _handle?: { readonly fd: number } | null;
}

/**
 * A port of the loopback that this process listens on, until the service that it is for has taken the socket over: a chosen
 * port cannot be taken by another process, not even by another start that chooses at the same moment.
 */
export class HeldPort {
  readonly port: number;
  readonly #socket: ListeningSocket;

  private constructor(socket: ListeningSocket) {
    this.#socket = socket;
    this.port = (socket.address() as AddressInfo).port;
  }

  /** @throws with the code of the system, such as EADDRINUSE */
  static async take(port: number): Promise<HeldPort> {
    // A client that connects before the service is there has its connection closed.
    const socket: ListeningSocket = createServer((connection) => connection.destroy());
    socket.listen({ port, host: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    socket.unref();
    return new HeldPort(socket);
  }

  /** Of the socket, to be handed to the service as it is started; undefined once it is released. */
  get descriptor(): number | undefined {
    return this.#socket._handle?.fd;
  }

  /** From now on the port belongs to the service that took the socket over, or is free. */
  release(): void {
    this.#socket.close();
  }
}

/** Where each service listens, by its name. */
export type HeldPorts = ReadonlyMap<string, HeldPort>;

/** Which ports are asked for. */
export interface WantedPorts {
  /** The gateway's, as a person wrote it. */
  readonly requested: string | undefined;
  /** Those of all services, by name, where they are settled. */
  readonly settled?: ReadonlyMap<string, number> | undefined;
}

/**
 * Takes the ports of all services. People type the gateway's, so where it is taken they decide. The services behind it are not
 * addressed by people: they get their standard ports where all of these are free, and else others. All, because one that is
 * free may be of a service of another start that is just being restarted.
 * @throws ExplainedError when the gateway's port cannot be used.
 */
export async function takePorts(
  services: readonly ServiceDescription[],
  { requested, settled }: WantedPorts,
): Promise<HeldPorts> {
  if (settled) return takeAll(services, ({ name, port }) => HeldPort.take(settled.get(name) ?? port));
  const gateways = services.filter(({ prefix }) => prefix === undefined);
  const inner = services.filter(({ prefix }) => prefix !== undefined);
  const held = await takeAll(gateways, (gateway) => takeGatewayPort(gateway, requested));
  try {
    const standard = await takeAll(inner, ({ port }) => HeldPort.take(port)).catch(() => undefined);
    return new Map([...held, ...(standard ?? (await takeAll(inner, takeAnyPort)))]);
  } catch (error) {
    releasePorts(held);
    throw error;
  }
}

/** Gives back what no service has taken over. */
export function releasePorts(held: HeldPorts): void {
  for (const port of held.values()) port.release();
}

/** All of them, or none. */
async function takeAll(
  services: readonly ServiceDescription[],
  take: (service: ServiceDescription) => Promise<HeldPort>,
): Promise<HeldPorts> {
  const held = new Map<string, HeldPort>();
  try {
    for (const service of services) held.set(service.name, await take(service));
    return held;
  } catch (error) {
    releasePorts(held);
    throw error;
  }
}

async function takeGatewayPort(
  gateway: ServiceDescription,
  requested: string | undefined,
): Promise<HeldPort> {
  const port = requested === undefined || requested === '' ? gateway.port : Number(requested);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ExplainedError(`PORT is "${requested}" and must be a number from 0 to 65535.`);
  }
  if (port === 0) return takeAnyPort();
  try {
    return await HeldPort.take(port);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`;
    throw new ExplainedError(`Port ${port} ${reason}: choose another one, for example PORT=8081 npm start.`);
  }
}

// Below the ports that systems give to outgoing connections: one of those would be taken in the moment in which its service is
// restarted.
const firstPort = 20_000;
const portsEnd = 32_768;
const attemptsMax = 100;

async function takeAnyPort(): Promise<HeldPort> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const held = await HeldPort.take(randomInt(firstPort, portsEnd)).catch(() => undefined);
    if (held) return held;
  }
  throw new ExplainedError(`No port between ${firstPort} and ${portsEnd} is free.`);
}
