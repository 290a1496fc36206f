import { ApiError } from '@tenantry/envelope';

/** One refusal for an unknown, used, withdrawn, replaced, expired and misaddressed invitation: it reveals nothing. */
export function invalidInvitation(): ApiError {
  return new ApiError(
    'INVALID_TOKEN',
    'This invitation cannot be used. Sign in with the address that it was sent to, or ask for a new one.',
    { statusCode: 400 },
  );
}

/** There is no such open invitation, or it is another organization's. */
export function invitationNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'The organization has no open invitation with this id.');
}
