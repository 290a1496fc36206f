import { ApiError } from '@tenantry/envelope';

/** A code that is wrong, used up or too old: the answer does not say which. */
export function invalidCode({ endsChallenge = false } = {}): ApiError {
  const next = endsChallenge ? 'Sign in again.' : 'Try the next one.';
  return new ApiError('INVALID_CODE', `The code is wrong or has been used. ${next}`, {
    statusCode: 401,
  });
}

/** A challenge that never existed, has expired, or belongs to another device: the same error for all. */
export function invalidChallenge(): ApiError {
  const message = 'This sign-in can no longer be finished. Sign in again.';
  return new ApiError('INVALID_CHALLENGE', message, { statusCode: 401 });
}

/** Too many wrong codes in a row, at any route; right ones are refused too. */
export function secondFactorLocked(until: Date, at: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1_000));
  const message = 'Too many wrong codes. Wait a while before you try again.';
  return new ApiError('ACCOUNT_LOCKED', message, {
    statusCode: 429,
    headers: { 'retry-after': String(seconds) },
  });
}

/** Already enabled: to move to another authenticator, disable the current one first. */
export function twoFactorAlreadyEnabled(): ApiError {
  const message = 'Two-factor authentication is on already. Disable it first to set it up anew.';
  return new ApiError('TWO_FACTOR_ALREADY_ENABLED', message, { statusCode: 409 });
}

/** Nothing to verify, renew or disable, or the set-up has expired. */
export function twoFactorNotEnabled(): ApiError {
  const message =
    'Two-factor authentication is not on. Set it up first: enable it, then verify a code or passkey.';
  return new ApiError('TWO_FACTOR_NOT_ENABLED', message, { statusCode: 409 });
}

/** What a code may be refused with, wherever it is asked for. */
export const codeRefusals: readonly ApiError[] = [
  invalidCode(),
  secondFactorLocked(new Date(30_000), new Date(0)),
  twoFactorNotEnabled(),
];
