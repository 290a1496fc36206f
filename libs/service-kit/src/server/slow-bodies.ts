import type { FastifyInstance, FastifyReply } from 'fastify';
import { requestTimeout } from './broken-requests.ts';

/** How slowly a body may arrive. */
export interface BodyPace {
  /** Time allowed for any body. */
  readonly graceMs: number;
  /** Minimum average rate of a longer body. */
  readonly bytesPerSecondMin: number;
  /** How long a body is read and dropped once its request has been answered. */
  readonly lingerMs: number;
}

/** 20 s and 500 bytes a second are what Apache's mod_reqtimeout asks of a body as well. */
export const standardPace: BodyPace = { graceMs: 20_000, bytesPerSecondMin: 500, lingerMs: 10_000 };

/**
 * Disconnects clients that send a body too slowly. Only progress counts, not the total time, and a service that is slow to read
 * is not counted against the client.
 */
export function cutSlowBodies(app: FastifyInstance, pace: BodyPace): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { headers } = request.raw;
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined) {
      watch(reply, pace);
    }
    done();
  });
}

function watch(reply: FastifyReply, { graceMs, bytesPerSecondMin }: BodyPace): void {
  const { raw: request } = reply.request;
  const { raw: response } = reply;
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  let spareMs = graceMs;
  let timer: NodeJS.Timeout;
  const look = (): void => {
    if (request.complete || request.destroyed) return;
    const paidMs = ((socket.bytesRead - bytesBefore) * 1_000) / bytesPerSecondMin;
    const waitedMs = performance.now() - startedAt;
    if (isFull()) spareMs = Math.max(spareMs, waitedMs - paidMs + graceMs);
    const leftMs = spareMs + paidMs - waitedMs;
    if (leftMs > 0) timer = setTimeout(look, Math.min(leftMs, graceMs)).unref();
    else if (reply.sent || response.headersSent) request.destroy();
    else reply.send(requestTimeout());
  };
  /** Received bytes are waiting to be read. */
  const isFull = (): boolean => request.isPaused() || request.readableLength >= request.readableHighWaterMark;

  const startedAt = performance.now();
  timer = setTimeout(look, graceMs).unref();
  request.once('end', () => {
    clearTimeout(timer);
  });
  response.once('finish', () => {
    clearTimeout(timer);
  });
}
