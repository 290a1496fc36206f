import { ApiError } from '@tenantry/envelope';

/** The role that the caller holds in the organization does not reach. */
export function forbidden(message: string): ApiError {
  return new ApiError('FORBIDDEN', message);
}

/** Whoever is no member looks like whoever does not exist. */
export function memberNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The organization has no member with this id.');
}

/** There is nothing to add. */
export function alreadyMember(): ApiError {
  return new ApiError('ALREADY_MEMBER', 'This user is a member of the organization already.', {
    statusCode: 409,
  });
}

/** An organization without an owner would be nobody's to manage or to delete. */
export function lastOwner(): ApiError {
  return new ApiError(
    'LAST_OWNER',
    'An organization always has an owner, and this is the last one. Make another member owner first, or delete the organization.',
    { statusCode: 409 },
  );
}
