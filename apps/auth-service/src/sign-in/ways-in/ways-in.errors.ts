import { ApiError } from '@tenantry/envelope';

/** Without it, the user could no longer sign in. */
export function lastWayIn(): ApiError {
  return new ApiError(
    'LAST_WAY_IN',
    'This is the last way to sign in to your account. Add another one before you remove it.',
    { statusCode: 409 },
  );
}
