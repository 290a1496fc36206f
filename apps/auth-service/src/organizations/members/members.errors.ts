import { ApiError } from '@tenantry/envelope';
import type { ReasonOf } from '@tenantry/service/failures';

/** The caller's role does not suffice, or they may not change the account: then with a reason. */
export function forbidden(message: string, reason?: ReasonOf<'FORBIDDEN'>): ApiError {
  return new ApiError('FORBIDDEN', message, reason === undefined ? {} : { reason });
}

/** A user who is not a member looks like one who does not exist. */
export function memberNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The organization has no member with this id.');
}

/** The user is a member already. */
export function alreadyMember(): ApiError {
  return new ApiError('ALREADY_MEMBER', 'This user is already a member of the organization.', {
    statusCode: 409,
  });
}

/** Without an owner no one could manage or delete the organization. */
export function lastOwner(): ApiError {
  return new ApiError(
    'LAST_OWNER',
    'An organization always has an owner, and this is the last one. Make another member owner first, or delete the organization.',
    { statusCode: 409 },
  );
}
