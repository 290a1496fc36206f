import { ApiError } from '@tenantry/envelope';

/** One refusal for a token that is unknown, expired, used, of another kind or somebody else's. */
export function invalidToken(): ApiError {
  return new ApiError('INVALID_TOKEN', 'This link is invalid or has expired. Ask for a new one.', {
    statusCode: 400,
    details: [{ field: 'token', rule: 'valid', message: 'is invalid or has expired' }],
  });
}
