import { ApiError } from '@tenantry/envelope';

/** The e-mail address has an account already. */
export function userAlreadyExists(): ApiError {
  return new ApiError('USER_ALREADY_EXISTS', 'This e-mail address has an account already. Sign in instead.', {
    statusCode: 422,
    details: [{ field: 'email', message: 'is in use' }],
  });
}
