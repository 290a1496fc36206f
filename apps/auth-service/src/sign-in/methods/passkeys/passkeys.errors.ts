import { ApiError } from '@tenantry/envelope';

/** A method that is not configured: as if there were nothing here. */
export function noPasskeys(): ApiError {
  return new ApiError('NOT_FOUND', 'Passkeys are not configured here.');
}

/** What an authenticator has made, and cannot be registered: it was not asked for, or asked for too long ago. */
export function invalidPasskey(): ApiError {
  return new ApiError('INVALID_PASSKEY', 'This passkey cannot be registered. Begin again.', {
    statusCode: 400,
  });
}

/** One refusal for a passkey that is unknown, another user's, wrong, used before or too late: it reveals nothing. */
export function passkeyRefused(): ApiError {
  return new ApiError('INVALID_PASSKEY', 'This passkey did not work. Try again, or use another way.', {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** There is no such passkey, or it is another user's. */
export function passkeyNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You have no passkey with this id.');
}

/** As many as anybody needs. */
export function tooManyPasskeys(): ApiError {
  return new ApiError('TOO_MANY_PASSKEYS', 'You have 20 passkeys. Remove one that you do not use.', {
    statusCode: 409,
  });
}

/** Nothing that could be asked for, or that two-factor authentication could rest on. */
export function passkeyMissing(): ApiError {
  return new ApiError('PASSKEY_REQUIRED', 'You have no passkey. Add one first.', { statusCode: 409 });
}

/** The last passkey of a second factor that has no authenticator app. */
export function carriesTwoFactor(): ApiError {
  const message =
    'Your two-factor authentication rests on this passkey alone. Add another passkey first, or turn it off.';
  return new ApiError('LAST_WAY_IN', message, { statusCode: 409, reason: 'CARRIES_TWO_FACTOR' });
}
