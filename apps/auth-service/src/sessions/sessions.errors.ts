import { ApiError } from '@tenantry/envelope';

/** A token whose session was signed out, revoked or has expired, or whose user is disabled: RFC 6750, 3.1. */
export function sessionEnded(): ApiError {
  const message = 'The session has ended. Sign in again.';
  return new ApiError('UNAUTHENTICATED', message, {
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  });
}

/** A session that is used on another device, or at another address, than it was started from. */
export { sessionElsewhere } from '@tenantry/service-kit';

/** One refusal for a token that is unknown, expired, used or another session's: it tells nothing. */
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

/** The same for an organization that does not exist and one that the user is no member of. */
export function organizationNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You are no member of an organization with this id.');
}

/** The organization asks its members for a second factor. */
export function twoFactorRequired(): ApiError {
  return new ApiError(
    'TWO_FACTOR_REQUIRED',
    'This organization asks for two-factor authentication. Turn it on for your account, then come back.',
    { statusCode: 403 },
  );
}

/** Why a user does not get into an organization. */
export function notLetIn({ twoFactorMissing }: { readonly twoFactorMissing: boolean }): ApiError {
  return twoFactorMissing ? twoFactorRequired() : organizationNotFound();
}
