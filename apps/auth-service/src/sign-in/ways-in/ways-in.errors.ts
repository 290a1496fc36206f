import { ApiError } from '@tenantry/envelope';

/** An account that nobody could sign in to any more. */
export function lastWayIn(): ApiError {
  return new ApiError(
    'LAST_WAY_IN',
    'This is the last way to sign in to your account. Add another one before you remove it.',
    { statusCode: 409 },
  );
}
