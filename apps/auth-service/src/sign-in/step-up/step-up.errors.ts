import { ApiError, type ErrorDetail } from '@tenantry/envelope';
import type { SecondFactorMethod } from '../second-factors/second-factor.ts';

/** How recently a user must have authenticated for a sensitive operation: the value of `max_age`. */
export const recentSeconds = 300;

/** A session whose second factor is too long ago, or was never shown. */
export function secondFactorRequired(methods: readonly SecondFactorMethod[]): ApiError {
  const message =
    'Confirm it is you: send a code of your authenticator to /api/auth/two-factor/verify-totp, or a backup code to ' +
    '/api/auth/two-factor/verify-backup-code, and repeat the request with the token of that answer.';
  const params = { methods, maxAgeSeconds: recentSeconds };
  return insufficient(message, 'SECOND_FACTOR_REQUIRED', {
    field: 'secondFactor',
    rule: 'recent',
    params,
    message: 'must be confirmed',
  });
}

/** A user without a second factor who signed in too long ago. */
export function passwordRequired(): ApiError {
  const message = 'Confirm it is you: send your password with this request.';
  return insufficient(message, 'PASSWORD_REQUIRED', {
    field: 'password',
    rule: 'required',
    message: 'is required',
  });
}

/** The challenge of RFC 9470, 3, and which proof it wants. */
function insufficient(message: string, reason: string, detail: ErrorDetail): ApiError {
  const challenge = [
    'Bearer error="insufficient_user_authentication"',
    `error_description="${message}"`,
    `max_age="${recentSeconds}"`,
  ];
  return new ApiError('INSUFFICIENT_USER_AUTHENTICATION', message, {
    reason,
    details: [detail],
    headers: { 'www-authenticate': challenge.join(', ') },
  });
}
