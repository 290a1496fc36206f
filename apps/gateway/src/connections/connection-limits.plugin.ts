import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey, trustIn, type PeerTrust } from '@tenantry/service/addresses';
import type { Logger } from '@tenantry/service/logging';
import type { Measurement } from '@tenantry/service/metrics';

/** Limits on client connections. */
export interface ConnectionLimits {
  readonly max: number;
  /** Of one client address; a trusted proxy, which speaks for many clients, may hold any number. */
  readonly perAddressMax: number;
  readonly trustProxy: readonly string[];
  readonly logger: Logger;
}

/** The response in progress on a connection, looked up as node:http itself does. */
interface ServerSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

const reportIntervalMs = 60_000;

/** Limits client connections: one beyond the limit is closed immediately, before anything is read from it. */
export function limitConnections(server: Server, limits: ConnectionLimits): ClientConnections {
  const connections = new ClientConnections(limits);
  server.prependListener('connection', (socket: ServerSocket) => connections.receive(socket));
  return connections;
}

/**
 * The open connections of clients, by address. At the limit, an address with more loses one without a complete request, so that
 * the next address finds room.
 */
export class ClientConnections {
  readonly #limits: ConnectionLimits;
  readonly #trusts: PeerTrust;
  readonly #byAddress = new Map<string, Set<ServerSocket>>();
  #open = 0;
  #refused = 0;
  #refusedBefore = 0;
  #reportedAt = -Infinity;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
    this.#trusts = trustIn(limits.trustProxy);
  }

  /** Their metrics. */
  get measurements(): readonly Measurement[] {
    return [
      {
        name: 'tenantry_client_connections',
        help: 'Open connections of clients',
        type: 'gauge',
        read: () => [{ value: this.#open }],
      },
      {
        name: 'tenantry_client_connections_refused_total',
        help: 'Connections of clients that were closed because too many were open',
        type: 'counter',
        read: () => [{ value: this.#refused }],
      },
    ];
  }

  /** Keeps a connection that was just accepted, or closes it. */
  receive(socket: ServerSocket): void {
    const { remoteAddress = '' } = socket;
    const address = this.#trusts(remoteAddress) ? undefined : addressKey(remoteAddress);
    const held = address === undefined ? 0 : (this.#byAddress.get(address)?.size ?? 0);
    const isOneTooMany = address !== undefined && held >= this.#limits.perAddressMax;
    if (isOneTooMany || (this.#open >= this.#limits.max && !this.#makeRoom(held))) {
      this.#refuse(socket);
      return;
    }
    this.#open += 1;
    if (address !== undefined) this.#add(address, socket);
    socket.once('close', () => {
      this.#open -= 1;
      if (address !== undefined) this.#remove(address, socket);
    });
  }

  /**
   * Closes a connection of an address with more, the one with the most first: one without a request, or else one whose request
   * is still arriving, since its client decides how long that takes.
   *
   * @param held connections of the new address; only an address with more loses one
   */
  #makeRoom(held: number): boolean {
    const larger = [...this.#byAddress.values()]
      .filter(({ size }) => size > held + 1)
      .toSorted((one, other) => other.size - one.size);
    const closed =
      firstOf(larger, ({ _httpMessage: answer }) => !answer) ??
      firstOf(larger, ({ _httpMessage: answer }) => answer?.req.complete === false);
    if (closed) this.#refuse(closed);
    return closed !== undefined;
  }

  #add(address: string, socket: ServerSocket): void {
    const sockets = this.#byAddress.get(address);
    if (sockets) sockets.add(socket);
    else this.#byAddress.set(address, new Set([socket]));
  }

  #remove(address: string, socket: ServerSocket): void {
    const sockets = this.#byAddress.get(address);
    sockets?.delete(socket);
    if (sockets?.size === 0) this.#byAddress.delete(address);
  }

  /** One line per minute, so that a flood does not fill the log. */
  #refuse(socket: ServerSocket): void {
    socket.destroy();
    this.#refused += 1;
    if (performance.now() - this.#reportedAt < reportIntervalMs) return;
    this.#reportedAt = performance.now();
    const { max, perAddressMax, logger } = this.#limits;
    const since = this.#refused - this.#refusedBefore;
    logger.warn({ refused: since, max, perAddressMax }, 'connections refused: too many are open');
    this.#refusedBefore = this.#refused;
  }
}

function firstOf(
  groups: readonly Iterable<ServerSocket>[],
  isWanted: (socket: ServerSocket) => boolean,
): ServerSocket | undefined {
  for (const sockets of groups) for (const socket of sockets) if (isWanted(socket)) return socket;
  return undefined;
}
