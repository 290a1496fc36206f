import { ApiError } from '@tenantry/envelope';
import type { UpstreamFailure } from '../upstream/failure.ts';

/** Nothing has been sent, so the client may retry. */
const notSent = (message: string, cause: unknown): ApiError => {
  const headers = { 'retry-after': '1' };
  return new ApiError('UPSTREAM_UNAVAILABLE', message, { statusCode: 503, headers, cause });
};

/** No instance accepts the request. */
export const unreachable = (cause?: unknown): ApiError =>
  notSent('This service cannot be reached right now. Try again shortly.', cause);

/** Too many requests of this client are waiting, or its turn did not come. */
export const noTurn = (cause: unknown): ApiError =>
  notSent('Too many requests are under way. Try again shortly.', cause);

/** The error that the client gets when a service fails. */
export function refusalFor({ kind, cause }: UpstreamFailure): ApiError {
  if (kind === 'unreachable') return unreachable(cause);
  const [statusCode, message] =
    kind === 'silent'
      ? [504, 'The service did not answer in time.']
      : [502, 'The service closed the connection before it answered.'];
  return new ApiError('UPSTREAM_UNAVAILABLE', message, { statusCode, cause });
}

/** TRACE would show a client the headers that proxies have added: RFC 9110, 9.3.8. */
export const traceRefused = (): ApiError =>
  new ApiError('METHOD_NOT_ALLOWED', 'TRACE is not supported here.');
