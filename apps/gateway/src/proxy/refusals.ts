import { ApiError } from '@tenantry/envelope';
import type { UpstreamFailure } from '../upstream/failure.ts';

/** No instance accepts the request: it has not been sent, and may be retried. */
export const unreachable = (cause?: unknown): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'This service cannot be reached right now. Try again shortly.', {
    statusCode: 503,
    headers: { 'retry-after': '1' },
    cause,
  });

const silent = (cause: unknown): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'The service did not answer in time.', { statusCode: 504, cause });

const broken = (cause: unknown): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'The service closed the connection before it answered.', {
    statusCode: 502,
    cause,
  });

/** Too many requests of this client are waiting, or its turn did not come: nothing has been sent. */
export const noTurn = (cause: unknown): ApiError =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'Too many requests are under way. Try again shortly.', {
    statusCode: 503,
    headers: { 'retry-after': '1' },
    cause,
  });

/** The error that the client gets when a service fails. */
export function refusalFor({ kind, cause }: UpstreamFailure): ApiError {
  if (kind === 'unreachable') return unreachable(cause);
  return kind === 'silent' ? silent(cause) : broken(cause);
}

/** TRACE would show a client the headers that proxies have added: RFC 9110, 9.3.8. */
export const traceRefused = (): ApiError =>
  new ApiError('METHOD_NOT_ALLOWED', 'TRACE is not supported here.');
