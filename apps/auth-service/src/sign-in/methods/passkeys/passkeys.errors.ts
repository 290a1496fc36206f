import { ApiError } from '@tenantry/envelope';

/** A method that is not configured, as if the route did not exist. */
export function noPasskeys(): ApiError {
  return new ApiError('NOT_FOUND', 'Passkeys are not configured here.');
}

/** A new credential that cannot be registered: it was not requested, or too long ago. */
export function invalidPasskey(): ApiError {
  return new ApiError('INVALID_PASSKEY', 'This passkey cannot be registered. Begin again.', {
    statusCode: 400,
  });
}

/** The same error for a passkey that is unknown, of another user, invalid, used before or too late: it reveals nothing. */
export function passkeyRefused(): ApiError {
  return new ApiError('INVALID_PASSKEY', 'This passkey did not work. Try again, or use another way.', {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** The authenticator has not verified its user: the same for every account, and for a new passkey (400). */
export function userNotVerified(statusCode: 400 | 401): ApiError {
  return new ApiError(
    'INVALID_PASSKEY',
    'Your device did not verify that it is you. Set up a PIN, a fingerprint or face recognition on it, or use another one.',
    {
      statusCode,
      reason: 'USER_NOT_VERIFIED',
      ...(statusCode === 401 && { headers: { 'www-authenticate': 'Bearer' } }),
    },
  );
}

/** The passkey does not exist, or belongs to another user. */
export function passkeyNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You have no passkey with this id.');
}

/** The maximum number of passkeys of a user. */
export function tooManyPasskeys(): ApiError {
  return new ApiError('TOO_MANY_PASSKEYS', 'You have 20 passkeys. Remove one that you do not use.', {
    statusCode: 409,
  });
}

/** The user has no passkey to verify, or to turn on two-factor authentication with. */
export function passkeyMissing(): ApiError {
  return new ApiError('PASSKEY_REQUIRED', 'You have no passkey. Add one first.', { statusCode: 409 });
}

/** The last passkey, if two-factor authentication has no authenticator app. */
export function carriesTwoFactor(): ApiError {
  const message =
    'Your two-factor authentication rests on this passkey alone. Add another passkey first, or turn it off.';
  return new ApiError('LAST_WAY_IN', message, { statusCode: 409, reason: 'CARRIES_TWO_FACTOR' });
}
