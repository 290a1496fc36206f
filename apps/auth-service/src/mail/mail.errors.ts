import { ApiError } from '@tenantry/envelope';

/** A letter with a user's own words goes out in the name of an address that the user has proven. */
export function emailNotVerified(): ApiError {
  return new ApiError(
    'EMAIL_NOT_VERIFIED',
    'Confirm your e-mail address first: follow the link in the letter to it, or ask for another at /api/auth/email/resend.',
    { statusCode: 403 },
  );
}
