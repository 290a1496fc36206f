import { ApiError } from '@tenantry/envelope';

/** The key belongs to another request, so neither its response nor executing this request would be right. */
export function keyReused(): ApiError {
  return new ApiError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Make a new one for every request.',
    { statusCode: 422 },
  );
}

/** The name was changed meanwhile, so the new one is based on outdated parts. */
export function nameChanged(): ApiError {
  return new ApiError('NAME_CHANGED', 'The account has another name by now. Read it again.', {
    statusCode: 409,
  });
}
