import { ApiError } from '@tenantry/envelope';

/** Too many failed attempts; the same for an address without an account, and for one that is not confirmed yet. */
export function accountLocked(until: Date, at: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1_000));
  return new ApiError(
    'ACCOUNT_LOCKED',
    `Too many failed attempts. Try again in ${seconds} seconds, or reset the password.`,
    { statusCode: 429, headers: { 'retry-after': String(seconds) } },
  );
}
