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

/** A wrong password of a user who is known: it is all that was asked. */
export function wrongPassword(field = 'password'): ApiError {
  return new ApiError('INVALID_CREDENTIALS', 'The password is not right. Check it, or reset it.', {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer' },
    details: [{ field, rule: 'credential', message: 'is not right' }],
  });
}

/** What a password may be refused with, where the address comes with it. */
export const signInRefusals: readonly ApiError[] = [
  invalidCredentials(),
  accountLocked(new Date(30_000), new Date(0)),
];

/** What the password of a known user may be refused with, wherever it is asked for. */
export const passwordRefusals: readonly ApiError[] = [
  wrongPassword(),
  accountLocked(new Date(30_000), new Date(0)),
];
