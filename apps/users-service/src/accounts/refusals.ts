import { ApiError, type ErrorDetail } from '@tenantry/envelope';
import { AccessError, TokenError } from '@tenantry/jwt-verify';
import { emailInUse, keyReused, lastOwner, signInRequired, tooManyPeople } from './accounts.errors.ts';

/** An error of auth-service. */
export interface Refused {
  readonly code?: string;
  readonly message?: string;
  readonly reason?: string;
  readonly details?: readonly ErrorDetail[];
}

/** Maps an error of auth-service to one for the client; undefined if the client did not cause it. */
export function refusalOf(
  { code, message = '', reason, details = [] }: Refused,
  headers: Headers,
): ApiError | AccessError | undefined {
  switch (code) {
    case 'USER_ALREADY_EXISTS':
      return emailInUse();
    case 'VALIDATION_ERROR':
      return ofTheClient(details) ? new ApiError('VALIDATION_ERROR', message, { details }) : undefined;
    case 'FORBIDDEN':
    // The caller has left the organization since the token was issued.
    case 'NOT_FOUND':
      return new ApiError(
        'FORBIDDEN',
        code === 'FORBIDDEN' ? message : 'You are not a member of this organization.',
        reason === undefined ? {} : { reason },
      );
    // The caller's session has ended since the token was verified. Any other is about the key of this service.
    case 'UNAUTHENTICATED':
      return reason === 'SESSION_ENDED' ? AccessError.ofToken(new TokenError('TOKEN_REVOKED')) : undefined;
    case 'RATE_LIMITED':
    // The hashing queue is full, and this caller has the most jobs in it.
    case 'UPSTREAM_UNAVAILABLE':
      return new ApiError(code, message, { headers: limitHeaders(headers) });
    case 'QUOTA_EXCEEDED':
      return tooManyPeople(reason === 'PEOPLE_UNCONFIRMED' ? reason : 'PEOPLE', message);
    case 'SIGN_IN_REQUIRED':
      return signInRequired(message);
    case 'LAST_OWNER':
      return lastOwner();
    case 'IDEMPOTENCY_KEY_REUSED':
      return keyReused();
    default:
      return undefined;
  }
}

/** The other fields are this service's own. */
const ofTheClient = (details: readonly ErrorDetail[]): boolean =>
  details.length > 0 && details.every(({ field }) => field === 'email' || field === 'password');

/** Headers about retrying and limits. */
const limitHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name === 'retry-after' || name.startsWith('ratelimit')));
