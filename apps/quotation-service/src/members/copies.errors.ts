import { ApiError } from '@tenantry/envelope';

/** Members who send mail for an organization must have a confirmed address. */
export const emailNotVerified = () =>
  new ApiError(
    'EMAIL_NOT_VERIFIED',
    'Confirm your e-mail address first: follow the link in the letter to it, or ask for another at /api/auth/email/resend.',
    { statusCode: 403 },
  );
