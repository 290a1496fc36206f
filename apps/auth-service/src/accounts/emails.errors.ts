import { ApiError } from '@tenantry/envelope';

/** A link to change the address of an account, followed without a session. */
export function signInToMove(reason?: string): ApiError {
  const message =
    'This link moves an account to another address. Sign in to that account, then follow it again.';
  return new ApiError('UNAUTHENTICATED', message, {
    ...(reason !== undefined && { reason }),
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** A link to change the address of an account, followed in the session of another account. */
export function otherAccount(): ApiError {
  return new ApiError(
    'OTHER_ACCOUNT',
    'This link moves another account than the one you are signed in to. Sign in to that one, then follow it again.',
    { statusCode: 403 },
  );
}
