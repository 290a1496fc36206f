import { ApiError, type ErrorDetail } from '@tenantry/envelope';
import type { AuthenticationLevel } from '@tenantry/jwt-verify';
import type { SecondFactorMethod } from '../second-factors/second-factor.ts';
import type { SignInMethod } from '../ways-in/way-in.ts';

/** How recently a user must have authenticated for a sensitive operation: the value of `max_age`. */
export const recentSeconds = 300;

/** A session whose second factor was verified too long ago, or never. */
export function secondFactorRequired(methods: readonly SecondFactorMethod[]): ApiError {
  const message =
    'Confirm it is you: send a code of your authenticator to /api/auth/two-factor/verify-totp, a passkey to ' +
    '/api/auth/two-factor/verify-passkey, or a backup code to /api/auth/two-factor/verify-backup-code, and repeat the ' +
    'request with the token of that answer.';
  return insufficient(message, 'SECOND_FACTOR_REQUIRED', {
    acr: 'aal2',
    detail: {
      field: 'secondFactor',
      rule: 'recent',
      params: { methods, maxAgeSeconds: recentSeconds },
      message: 'must be confirmed',
    },
  });
}

/** A user without a second factor who signed in too long ago. */
export function passwordRequired(): ApiError {
  const message = 'Confirm it is you: send your password with this request.';
  const detail = { field: 'password', rule: 'required', message: 'is required' };
  return insufficient(message, 'PASSWORD_REQUIRED', { acr: 'aal1', detail });
}

/** As {@link passwordRequired}, of a user who has no password. */
export function signInRequired(methods: readonly SignInMethod[]): ApiError {
  const message =
    'Confirm it is you: sign in again with the access token or the cookies of this session, and repeat the request ' +
    'with the token of that answer.';
  return insufficient(message, 'SIGN_IN_REQUIRED', {
    acr: 'aal1',
    detail: {
      field: 'session',
      rule: 'recent',
      params: { methods, maxAgeSeconds: recentSeconds },
      message: 'must have begun recently',
    },
  });
}

interface Insufficiency {
  readonly acr: AuthenticationLevel;
  readonly detail: ErrorDetail;
}

/** The challenge of RFC 9470, 3, and the required proof. */
function insufficient(message: string, reason: string, { acr, detail }: Insufficiency): ApiError {
  const challenge = [
    'Bearer error="insufficient_user_authentication"',
    `error_description="${message}"`,
    `acr_values="${acr}"`,
    `max_age="${recentSeconds}"`,
  ];
  return new ApiError('INSUFFICIENT_USER_AUTHENTICATION', message, {
    reason,
    details: [detail],
    headers: { 'www-authenticate': challenge.join(', ') },
  });
}
