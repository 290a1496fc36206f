import { ApiError } from '@tenantry/envelope';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The client closed its connection before the response. It never sees this error. */
export const clientGone = new ApiError(
  'CLIENT_CLOSED_REQUEST',
  'The client closed the connection before the answer.',
  { statusCode: 499 },
);

/**
 * Aborts when the client closes its connection before the response, so that expensive work ends with its request.
 *
 * @example await pdfs.make(task, { signal: clientSignal(reply) });
 */
export function clientSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController();
  const end = (): void => {
    if (!raw.writableFinished) gone.abort(clientGone);
  };
  if (raw.closed) end();
  else raw.once('close', end);
  return gone.signal;
}

/** Whether a request failed because its client hung up in the middle of the body. */
export const isBrokenOff = ({ raw }: FastifyRequest): boolean => raw.destroyed && !raw.complete;
