import { ApiError } from '@tenantry/envelope';
import type { ReasonOf } from '@tenantry/service/failures';

const code = 'INVALID_TOKEN';

/**
 * Without a reason for a token that was never mailed, so that it reveals nothing. The holder of a real one may learn its state.
 */
export function invalidInvitation(reason?: ReasonOf<'INVALID_TOKEN'>): ApiError {
  return new ApiError(
    code,
    'This invitation cannot be used. Sign in with the address that it was sent to, or ask for a new one.',
    { statusCode: 400, ...(reason !== undefined && { reason }) },
  );
}

/** Whether an error is {@link invalidInvitation}. */
export function isInvalidInvitation(error: unknown): boolean {
  return error instanceof ApiError && error.code === code;
}

/** The invitation is not open, or belongs to another organization. */
export function invitationNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The organization has no open invitation with this id.');
}
