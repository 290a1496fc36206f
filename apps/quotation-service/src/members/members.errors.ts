import { ApiError } from '@tenantry/envelope';

const notVerified = (message: string) => new ApiError('EMAIL_NOT_VERIFIED', message, { statusCode: 403 });

/** Members who send mail for an organization must have a confirmed address. */
export const emailNotVerified = () =>
  notVerified(
    'Confirm your e-mail address first: follow the link in the letter to it, or ask for another at /api/auth/email/resend.',
  );

/** A service account has no address: answers to its letters go to the first owner. */
export const ownerNotVerified = () =>
  notVerified(
    'The first owner of the organization must confirm their e-mail address first: answers go to it.',
  );
