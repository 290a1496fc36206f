import { ApiError, invalidField } from '@tenantry/envelope';
import { sessionAddressChanged } from '@tenantry/service/browser';
export { sessionAddressChanged } from '@tenantry/service/browser';

/** A browser without our cookies. */
export function sessionMissing(): ApiError {
  return new ApiError('UNAUTHENTICATED', 'There is no session. Sign in.', {
    reason: 'TOKEN_MISSING',
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** A client that stores tokens itself, and sent none. */
export function refreshTokenMissing(): ApiError {
  return invalidField({ field: 'refreshToken', rule: 'required', message: 'is required' });
}

/** A token whose session was signed out, revoked or has expired, or whose user is disabled: RFC 6750, 3.1. */
export function sessionEnded(): ApiError {
  const message = 'The session has ended. Sign in again.';
  return new ApiError('UNAUTHENTICATED', message, {
    reason: 'SESSION_ENDED',
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  });
}

/** A session that an organization's connection has started, outside of that organization. */
export function sessionConfined(): ApiError {
  return new ApiError(
    'SIGN_IN_REQUIRED',
    'You signed in through your organization, which gives access to that organization alone. For anything else, sign in yourself: ' +
      'with your own password, a passkey, or a code by mail.',
  );
}

/** The same error for a token that is unknown, expired, used or of another session: it reveals nothing. */
export function invalidRefreshToken(): ApiError {
  return new ApiError('INVALID_REFRESH_TOKEN', 'This refresh token is not valid here. Sign in again.', {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** Another user's session looks like one that does not exist. */
export function sessionNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You have no live session with this id.');
}

/** Errors of a refresh token that is sent with an access token. */
export const renewalRefusals: readonly ApiError[] = [invalidRefreshToken(), sessionAddressChanged()];
