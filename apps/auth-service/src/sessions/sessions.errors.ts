import { ApiError, invalidField } from '@tenantry/envelope';
import { sessionAddressChanged } from '@tenantry/service-kit/browser';

/** A browser without a session: it has no cookies of ours. */
export function sessionMissing(): ApiError {
  return new ApiError('UNAUTHENTICATED', 'There is no session. Sign in.', {
    reason: 'TOKEN_MISSING',
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** A client that keeps its tokens itself, and sent none. */
export function refreshTokenMissing(): ApiError {
  return invalidField({ field: 'refreshToken', rule: 'required', message: 'is required' });
}

export { sessionAddressChanged } from '@tenantry/service-kit/browser';

/** A token whose session was signed out, revoked or has expired, or whose user is disabled: RFC 6750, 3.1. */
export function sessionEnded(): ApiError {
  const message = 'The session has ended. Sign in again.';
  return new ApiError('UNAUTHENTICATED', message, {
    reason: 'SESSION_ENDED',
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  });
}

/** One refusal for a token that is unknown, expired, used or another session's: it reveals nothing. */
export function invalidRefreshToken(): ApiError {
  return new ApiError('INVALID_REFRESH_TOKEN', 'This refresh token is not valid here. Sign in again.', {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** Another user's session looks like one that never was. */
export function sessionNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You have no live session with this id.');
}

/** What a refresh token that is shown beside an access token may be refused with. */
export const renewalRefusals: readonly ApiError[] = [invalidRefreshToken(), sessionAddressChanged()];
