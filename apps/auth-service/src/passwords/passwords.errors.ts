import { ApiError } from '@tenantry/envelope';

/** One refusal for an unknown address, a wrong password and a disabled account: ASVS 5.0, 6.3.8. */
export function invalidCredentials(): ApiError {
  return new ApiError('INVALID_CREDENTIALS', 'The e-mail address or the password is not right.', {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}
