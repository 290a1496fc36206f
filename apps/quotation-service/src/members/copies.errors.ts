import { ApiError } from '@tenantry/envelope';

/** The copy of the caller's organization does not exist yet, since it was just created. */
export const notArrived = () =>
  new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'The settings of your organization have not arrived here yet. Try again in a second.',
    { headers: { 'retry-after': '1' } },
  );

/** Members who send mail for an organization must have a confirmed address. */
export const emailNotVerified = () =>
  new ApiError(
    'EMAIL_NOT_VERIFIED',
    'Confirm your e-mail address first: follow the link in the letter to it, or ask for another at /api/auth/email/resend.',
    { statusCode: 403 },
  );
