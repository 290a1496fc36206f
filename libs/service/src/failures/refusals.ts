import { ApiError } from '@tenantry/envelope';
import type { DatabaseFault } from './database-faults.ts';

const retryAfter = { headers: { 'retry-after': '1' } };

function quotaExceeded(message: string, reason?: string): ApiError {
  return new ApiError('QUOTA_EXCEEDED', message, {
    statusCode: 409,
    ...(reason !== undefined && { reason }),
  });
}

/** The error that a client gets for a fault of the database. */
export const databaseRefusals: Readonly<Record<DatabaseFault, ApiError>> = {
  unavailable: new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'The service is temporarily unavailable. Try again shortly.',
    retryAfter,
  ),
  // Not an outage of a dependency: the database responds, but this request took too long.
  'too-slow': new ApiError(
    'DEADLINE_EXCEEDED',
    'The request took too long and was cancelled. Try again, or ask for less.',
    retryAfter,
  ),
  contention: new ApiError(
    'CONFLICT',
    'Other changes were made at the same moment, and nothing was changed. Try again.',
    { ...retryAfter, reason: 'CONCURRENT_CHANGE' },
  ),
  'not-unique': new ApiError('CONFLICT', 'This exists already: a value that must be unique is in use.', {
    reason: 'NOT_UNIQUE',
  }),
  'over-quota': quotaExceeded(
    'The organization has reached its quota in this service, and nothing was changed. Permanently delete what you no longer need, or ask the operator for a larger quota.',
  ),
  'over-small-quota': quotaExceeded(
    'The organization has reached the quota in this service that it has until an owner confirms their e-mail address, and nothing was changed. Confirm it, or permanently delete what you no longer need.',
    'OWNER_UNCONFIRMED',
  ),
};

/** RFC 9112, 3.2. The connection is closed, since later requests on it may be meant for another host. */
export const hostMissing = new ApiError('VALIDATION_ERROR', 'The Host header is missing.', {
  details: [{ field: 'host', rule: 'required', message: 'is required' }],
  headers: { connection: 'close' },
});

/** RFC 9110, 15.5.18. */
export const expectationFailed = new ApiError(
  'EXPECTATION_FAILED',
  'Only "Expect: 100-continue" is supported.',
  { statusCode: 417 },
);
