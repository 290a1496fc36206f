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
  let reportedAt = -Infinity;
  let refused = 0;
  let open = 0;
  let refusedInAll = 0;
  /** One line a minute: under a flood the log must not be the next thing that fills up. */
  const report = (): void => {
    refused++;
    refusedInAll++;
    if (performance.now() - reportedAt < reportIntervalMs) return;
    reportedAt = performance.now();
    logger.warn({ refused, max, perAddressMax }, 'connections refused: too many are open');
    refused = 0;
  };

  server.maxConnections = max;
  server.on('drop', report);
  server.prependListener('connection', (socket: Socket) => {
    open++;
    socket.once('close', () => open--);
    const { remoteAddress = '' } = socket;
    if (trusts(remoteAddress)) return;
    const key = addressKey(remoteAddress);
    const ofAddress = held.get(key) ?? 0;
    if (ofAddress >= perAddressMax) {
      socket.destroy();
      report();
      return;
    }
    held.set(key, ofAddress + 1);
    socket.once('close', () => {
      const left = (held.get(key) ?? 1) - 1;
      if (left === 0) held.delete(key);
      else held.set(key, left);
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
        read: () => [{ value: refusedInAll }],
      },
    ],
  };
}
