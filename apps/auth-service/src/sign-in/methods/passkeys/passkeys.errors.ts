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
  return new ApiError(
    'INVALID_PASSKEY',
    'This passkey does not sign you in. Try again, or use another way.',
    {
      statusCode: 401,
      headers: { 'www-authenticate': 'Bearer' },
    },
  );
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
