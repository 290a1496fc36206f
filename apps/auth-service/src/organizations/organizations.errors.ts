import { ApiError } from '@tenantry/envelope';

/** Another organization has the slug; ids and slugs are the only names shared by all tenants. */
export function slugTaken(): ApiError {
  return new ApiError('SLUG_TAKEN', 'Another organization has this slug. Choose another.', {
    statusCode: 409,
    details: [{ field: 'slug', message: 'is taken' }],
  });
}
