import { ApiError } from '@tenantry/envelope';

/** A letter with a user's own words goes out in the name of an address that the user has proven. */
export function emailNotVerified(): ApiError {
  return new ApiError(
    'EMAIL_NOT_VERIFIED',
    'Confirm your e-mail address first: follow the link in the letter to it, or ask for another at /api/auth/email/resend.',
    { statusCode: 403 },
  );
}

/** One refusal for a token that is unknown, expired, used, of another kind or somebody else's. */
export function invalidToken(): ApiError {
  return new ApiError('INVALID_TOKEN', 'This link is invalid or has expired. Ask for a new one.', {
    statusCode: 400,
    details: [{ field: 'token', rule: 'valid', message: 'is invalid or has expired' }],
  });
}
