import { ApiError } from '@tenantry/envelope';
import { accountLocked } from './lockout/lockout.errors.ts';

/**
 * One refusal for an unknown address, a wrong password, a disabled account and, where addresses have to be confirmed,
 * one that is not yet: ASVS 5.0, 6.3.8.
 */
export function invalidCredentials({ emailVerificationRequired = false } = {}): ApiError {
  const message = emailVerificationRequired
    ? 'The e-mail address or the password is not right, or the address is not confirmed yet: follow the link in your mail.'
    : 'The e-mail address or the password is not right. Check both, or reset the password.';
  return new ApiError('INVALID_CREDENTIALS', message, {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** What a password may be refused with, wherever it is asked for. */
export const passwordRefusals: readonly ApiError[] = [
  invalidCredentials(),
  accountLocked(new Date(30_000), new Date(0)),
];
