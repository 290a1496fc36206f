import { ApiError } from '@tenantry/envelope';

/** Another organization has the slug; ids and slugs are the only names that all tenants share. */
export function slugTaken(): ApiError {
  return new ApiError('SLUG_TAKEN', 'Another organization has this slug. Choose another.', {
    statusCode: 409,
    details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
  });
}

/** Requiring a second factor of all members needs one of your own, so that you do not lock yourself out. */
export function ownTwoFactorFirst(): ApiError {
  return new ApiError(
    'TWO_FACTOR_REQUIRED',
    'Turn two-factor authentication on for your own account before you require it of all members.',
    { statusCode: 409 },
  );
}

/** A confined session could not set up the second factor that the organization requires. */
export function secondFactorUndeclared(): ApiError {
  return new ApiError(
    'CONFLICT',
    'The organization requires a second factor: declare that the identity provider asks everybody for one.',
    { reason: 'SECOND_FACTOR_UNDECLARED' },
  );
}
