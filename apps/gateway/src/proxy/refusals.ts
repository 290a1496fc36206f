import { misplacedScimToken } from '@tenantry/contracts';
import { ApiError } from '@tenantry/envelope';
import { notSent, unreachable, type UpstreamFailure } from '../upstream/failure.ts';

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

/** auth-service serves users: 401 would make clients refresh a session that there is not. */
export const keyNotHere = (): ApiError =>
  new ApiError(
    'USER_REQUIRED',
    'This needs a signed-in user: a key of a service account works on all paths but those below /api/auth. Sign in, or call another path.',
  );

/** The token of a directory, anywhere but where it provisions people. */
export const directoryNotHere = (): ApiError => new ApiError('USER_REQUIRED', misplacedScimToken);

/** TRACE would show a client the headers that proxies have added: RFC 9110, 9.3.8. */
export const traceRefused = (): ApiError =>
  new ApiError('METHOD_NOT_ALLOWED', 'TRACE is not supported here.');
