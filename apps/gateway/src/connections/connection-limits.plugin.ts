import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { addressKey, trustIn, type Logger, type Measurement } from '@tenantry/service-kit';

/** How many connections clients may hold. */
export interface ConnectionLimits {
  readonly max: number;
  /** Of one client address; a trusted proxy, which speaks for many clients, may hold any number. */
  readonly perAddressMax: number;
  readonly trustProxy: readonly string[];
  readonly logger: Logger;
}

const reportIntervalMs = 60_000;

/** What is measured of connections. */
export interface MeasuredConnections {
  readonly measurements: readonly Measurement[];
}

/** Closes a connection too many at once, before anything is read of it. */
export function limitConnections(
  server: Server,
  { max, perAddressMax, trustProxy, logger }: ConnectionLimits,
): MeasuredConnections {
  const trusts = trustIn(trustProxy);
  const held = new Map<string, number>();
  let open = 0;
  let refused = 0;
  let refusedBefore = 0;
  let reportedAt = -Infinity;
  /** One line a minute: under a flood the log must not be the next thing that fills up. */
  const refuse = (): void => {
    refused++;
    if (performance.now() - reportedAt < reportIntervalMs) return;
    reportedAt = performance.now();
    const since = refused - refusedBefore;
    logger.warn({ refused: since, max, perAddressMax }, 'connections refused: too many are open');
    refusedBefore = refused;
  };
  /** The key under which a connection counts; undefined for a trusted proxy. */
  const countedAs = ({ remoteAddress = '' }: Socket): string | undefined =>
    trusts(remoteAddress) ? undefined : addressKey(remoteAddress);
  const heldBy = (key: string): number => held.get(key) ?? 0;
  const letGo = (key: string): void => {
    if (heldBy(key) > 1) held.set(key, heldBy(key) - 1);
    else held.delete(key);
  };

  server.maxConnections = max;
  server.on('drop', refuse);
  server.prependListener('connection', (socket: Socket) => {
    const key = countedAs(socket);
    if (key !== undefined && heldBy(key) >= perAddressMax) {
      socket.destroy();
      refuse();
      return;
    }
    open++;
    if (key !== undefined) held.set(key, heldBy(key) + 1);
    socket.once('close', () => {
      open--;
      if (key !== undefined) letGo(key);
    });
  });

  return {
    measurements: [
      {
        name: 'tenantry_client_connections',
        help: 'Open connections of clients',
        type: 'gauge',
        read: () => [{ value: open }],
      },
      {
        name: 'tenantry_client_connections_refused_total',
        help: 'Connections of clients that were closed at once, because too many were open',
        type: 'counter',
        read: () => [{ value: refused }],
      },
    ],
  };
}
