import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/**
 * One line a request, written when it is over: answered, or broken off (`complete` is false). The path alone: a query
 * string may carry what must not be logged.
 */
export class RequestLog extends fastify.LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(request: FastifyRequest, reply: FastifyReply): void {
    const log = request.log as unknown as Pick<Logger, 'info' | 'isLevelEnabled'>;
    // Asked now, a socket tells its peer even when it is closed; where it is closed already nobody is answered.
    if (!log.isLevelEnabled('info') || request.raw.socket.remoteAddress === undefined) return;
    reply.raw.once('close', () => {
      const { statusCode: status, writableFinished: complete } = reply.raw;
      const durationMs = rounded(reply.elapsedTime);
      log.info({ ...describeRequest(request), status, complete, durationMs }, 'request');
    });
  }

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest): void {
    if (error) request.log.warn({ err: error }, 'the answer could not be written');
  }
}

/** What of a request is logged. */
export function describeRequest({
  method,
  originalUrl,
  ip,
}: Pick<FastifyRequest, 'method' | 'originalUrl' | 'ip'>): object {
  const queryStart = originalUrl.indexOf('?');
  return { method, path: queryStart < 0 ? originalUrl : originalUrl.slice(0, queryStart), ip };
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
