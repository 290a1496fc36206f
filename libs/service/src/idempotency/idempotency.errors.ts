import { ApiError } from '@tenantry/envelope';

/** The key was used for a different request before. */
export const keyReused = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Send a new key with a new request.',
  );

/** The first request with the key is still running. */
export const keyInUse = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'The first request with this Idempotency-Key is still running. Send it again in a second.',
    { headers: { 'retry-after': '1' } },
  );
