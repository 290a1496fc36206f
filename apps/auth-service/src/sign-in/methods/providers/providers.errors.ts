import { ApiError } from '@tenantry/envelope';

/** A provider that is not configured. */
export function providerNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'No provider of this id is configured here.');
}

/** A provider that does not respond as it should, before the browser is sent there. */
export function providerUnavailable(): ApiError {
  return new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'The provider does not answer. Try again shortly, or sign in another way.',
    { headers: { 'retry-after': '5' } },
  );
}

/** A provider account that another user signs in with. */
export function identityInUse(): ApiError {
  return new ApiError(
    'IDENTITY_IN_USE',
    'This account at the provider is linked already. Unlink it there first, or choose another.',
    { statusCode: 409 },
  );
}

/** The maximum number of identities of a user. */
export function tooManyIdentities(): ApiError {
  return new ApiError(
    'TOO_MANY_IDENTITIES',
    'You have linked as many accounts as you can. Unlink one first.',
    {
      statusCode: 409,
    },
  );
}

/** Another user's as well. */
export function identityNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You have no linked account with this id.');
}

/** For a new account, or to find one. */
export function emailMissing(): ApiError {
  return new ApiError(
    'EMAIL_MISSING',
    'The provider gave no e-mail address. Let it share one, or sign in another way and link it.',
    { statusCode: 422 },
  );
}

/** The address that an invitation was sent to. */
export function invitedAddressTaken(): ApiError {
  return new ApiError(
    'USER_ALREADY_EXISTS',
    'The invited address already has an account. Sign in to it, and accept the invitation there.',
    { statusCode: 422 },
  );
}
