import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';

/** One line a request, written when it is answered. The path alone: a query string may carry what must not be logged. */
export class RequestLog extends fastify.LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }

  override incomingRequest(): void {
    // The line at completion says everything.
  }

  override requestCompleted(
    error: Error | null | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    const line = {
      ...describeRequest(request),
      status: reply.statusCode,
      durationMs: rounded(reply.elapsedTime),
    };
    if (error) reply.log.error({ ...line, err: error }, 'request');
    else reply.log.info(line, 'request');
  }
}

/** What of a request is logged. */
export function describeRequest({ method, url, ip }: { method: string; url: string; ip: string }): object {
  const queryStart = url.indexOf('?');
  return { method, path: queryStart < 0 ? url : url.slice(0, queryStart), ip };
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
