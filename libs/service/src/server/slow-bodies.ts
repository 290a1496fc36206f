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
  /** Within what time a body must be whole, at whatever pace: a file, and any other. */
  readonly totalMs: { readonly file: number; readonly other: number };
}

/** The settings of the total time of a body. */
interface BodyTimes {
  readonly BODY_TIMEOUT_SECONDS: number;
  readonly FILE_TIMEOUT_SECONDS: number;
}

/** 20 s and 500 bytes a second are what Apache's mod_reqtimeout asks of a body as well. */
export const paceWithin = (times: BodyTimes): BodyPace => ({
  graceMs: 20_000,
  bytesPerSecondMin: 500,
  lingerMs: 10_000,
  totalMs: { file: times.FILE_TIMEOUT_SECONDS * 1_000, other: times.BODY_TIMEOUT_SECONDS * 1_000 },
});

/** Without settings. */
export const standardPace = paceWithin({ BODY_TIMEOUT_SECONDS: 60, FILE_TIMEOUT_SECONDS: 900 });

/**
 * Disconnects clients that send a body too slowly, or for too long. A service that is slow to read is not counted against their
 * pace. The total time has no exception: while a body is open, its request waits to act on what was decided at its headers.
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

function watch(reply: FastifyReply, { graceMs, bytesPerSecondMin, totalMs }: BodyPace): void {
  const { raw: request } = reply.request;
  const { raw: response } = reply;
  const { socket } = request;
  const bytesBefore = socket.bytesRead;
  const limitMs = isSmall(request.headers['content-type']) ? totalMs.other : totalMs.file;
  let spareMs = graceMs;
  let timer: NodeJS.Timeout;
  // What arrived while the process stood still is read first: a turn of the event loop runs its timers before it reads sockets.
  const lookAfter = (ms: number): void => {
    timer = setTimeout(() => void setImmediate(look), ms).unref();
  };
  const look = (): void => {
    if (request.complete || request.destroyed || response.writableFinished) return;
    const paidMs = ((socket.bytesRead - bytesBefore) * 1_000) / bytesPerSecondMin;
    const waitedMs = performance.now() - startedAt;
    if (isFull()) spareMs = Math.max(spareMs, waitedMs - paidMs + graceMs);
    const leftMs = Math.min(spareMs + paidMs, limitMs) - waitedMs;
    if (leftMs > 0) lookAfter(Math.min(leftMs, graceMs));
    else if (reply.sent || response.headersSent) request.destroy();
    else reply.send(requestTimeout());
  };
  /** Received bytes are waiting to be read. */
  const isFull = (): boolean => request.isPaused() || request.readableLength >= request.readableHighWaterMark;

  const startedAt = performance.now();
  lookAfter(Math.min(graceMs, limitMs));
  request.once('end', () => {
    clearTimeout(timer);
  });
  response.once('finish', () => {
    clearTimeout(timer);
  });
}

/** JSON and forms are limited to 64 KiB. Whatever is neither is a file, or refused at once. */
function isSmall(mediaType = ''): boolean {
  return (
    mediaType === '' || /^application\/(?:(?:scim\+)?json|x-www-form-urlencoded)\s*(?:;|$)/i.test(mediaType)
  );
}
