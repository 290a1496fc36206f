import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How slowly a response may be read. */
export interface ReadPace {
  /** Time allowed for the rest of any response. */
  readonly graceMs: number;
  /** Minimum average rate of a longer one. */
  readonly bytesPerSecondMin: number;
}

/** As slow as a body may arrive. */
export const standardReadPace: ReadPace = { graceMs: 20_000, bytesPerSecondMin: 500 };

const sweepMsMax = 5_000;

/** A socket as libuv sees it: bytes that the system has not accepted yet are in this process. */
interface QueuedSocket extends Socket {
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
}

/** Since when a response has been waiting in this process, and how much had been accepted by then. */
interface Waiting {
  readonly since: number;
  readonly taken: number;
}

/**
 * Ends connections whose client does not read its response, which occupies this process's memory and has no other time limit. A
 * check every few seconds costs requests nothing.
 */
export function cutSlowReaders(server: Server, { graceMs, bytesPerSecondMin }: ReadPace): void {
  const waiting = new Map<QueuedSocket, Waiting | undefined>();
  server.on('connection', (socket: QueuedSocket) => {
    waiting.set(socket, undefined);
    socket.once('close', () => waiting.delete(socket));
  });
  const look = (socket: QueuedSocket, before: Waiting | undefined): void => {
    const { bytesWritten = 0, writeQueueSize = 0 } = socket._handle ?? {};
    if (writeQueueSize === 0) {
      if (before) waiting.set(socket, undefined);
      return;
    }
    const taken = bytesWritten - writeQueueSize;
    const { since, taken: takenBefore } = before ?? { since: performance.now(), taken };
    const paidMs = ((taken - takenBefore) * 1_000) / bytesPerSecondMin;
    if (performance.now() - since > graceMs + paidMs) socket.destroy();
    else if (!before) waiting.set(socket, { since, taken });
  };
  const timer = setInterval(
    () => {
      for (const [socket, before] of waiting) look(socket, before);
    },
    Math.min(graceMs / 2, sweepMsMax),
  ).unref();
  server.once('close', () => clearInterval(timer));
}
