import { ApiError } from '@tenantry/envelope';

/** No connection signs people in, so that nobody could get in. */
export function connectionOff(): ApiError {
  return new ApiError('CONFLICT', 'Turn on a connection first: it is what people will sign in by.', {
    reason: 'CONNECTION_OFF',
  });
}

/** Whoever requires it of others has come in by it, with the settings that it has now. */
export function connectionUntried(): ApiError {
  return new ApiError(
    'CONFLICT',
    'Link your own account and sign in through the identity provider first: within the hour before you require it, and after the ' +
      'last change of the connection.',
    { reason: 'CONNECTION_UNTRIED' },
  );
}

/** Without a connection and a verified domain nobody but owners would get in. */
export function ssoStillRequired(): ApiError {
  return new ApiError('CONFLICT', 'The organization requires single sign-on. Stop requiring it first.', {
    reason: 'SSO_STILL_REQUIRED',
  });
}
