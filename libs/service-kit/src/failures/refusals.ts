import { ApiError, type ErrorDetail } from '@tenantry/envelope';
import type { DatabaseFault } from './database-faults.ts';

/** What any refusal tells the client. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly statusCode: number;
  readonly reason?: string | undefined;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

const retryAfter = { headers: { 'retry-after': '1' } };

/** What a client hears of a fault of the database. */
export const databaseRefusals: Readonly<Record<DatabaseFault, ApiError>> = {
  unavailable: new ApiError(
    'UPSTREAM_UNAVAILABLE',
    'The service is temporarily unavailable. Try again shortly.',
    retryAfter,
  ),
  // Not the outage of a dependency: the database answers, and this request took longer than it may.
  'too-slow': new ApiError(
    'DEADLINE_EXCEEDED',
    'The request took too long and was cancelled. Try again, or ask for less.',
    retryAfter,
  ),
  contention: new ApiError(
    'CONFLICT',
    'Other changes were made at the same moment, and nothing was changed. Try again.',
    retryAfter,
  ),
  'not-unique': new ApiError('CONFLICT', 'This exists already: a value that must be unique is in use.'),
};

/** A defect of the service. */
export const internal = new ApiError(
  'INTERNAL',
  'Something went wrong on our side. Report the request id if it persists.',
);

/** What a path answers that does not exist, or not on this port. */
export const nothingHere = new ApiError('NOT_FOUND', 'There is nothing at this path.');

export const payloadTooLarge = new ApiError(
  'PAYLOAD_TOO_LARGE',
  'The body is larger than this endpoint accepts.',
);
export const unsupportedMediaType = new ApiError(
  'UNSUPPORTED_MEDIA_TYPE',
  'Send the body as application/json.',
);

/** What cannot be read at all. */
export const malformed = (field: string, message: string): ApiError =>
  new ApiError('VALIDATION_ERROR', `The ${field} ${message}.`, {
    details: [{ field, rule: 'wellFormed', message }],
  });
