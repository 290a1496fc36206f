import { ApiError } from '@tenantry/envelope';

/** How recently a user must have authenticated for a sensitive operation: the value of `max_age`. */
export const recentSeconds = 300;

/** A session whose second factor is too long ago, or was never shown. */
export function secondFactorRequired(): ApiError {
  return insufficient(
    'Confirm it is you: send a code of your authenticator to /api/auth/two-factor/verify-totp, or a backup code to ' +
      '/api/auth/two-factor/verify-backup-code, and repeat the request with the token of that answer.',
  );
}

/** A user without a second factor who signed in too long ago. */
export function passwordRequired(): ApiError {
  return insufficient('Confirm it is you: send your password with this request.');
}

/** The challenge of RFC 9470, 3. */
function insufficient(message: string): ApiError {
  const challenge = [
    'Bearer error="insufficient_user_authentication"',
    `error_description="${message}"`,
    `max_age="${recentSeconds}"`,
  ];
  return new ApiError('INSUFFICIENT_USER_AUTHENTICATION', message, {
    headers: { 'www-authenticate': challenge.join(', ') },
  });
}
