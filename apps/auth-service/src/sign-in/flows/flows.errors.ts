import { ApiError, invalidField } from '@tenantry/envelope';

/** The same error for a ticket that is unknown, expired, used, of another device or of another intent. */
export function invalidTicket(): ApiError {
  return new ApiError('INVALID_TICKET', 'This sign-in is over, or began on another device. Begin again.', {
    statusCode: 400,
    details: [{ field: 'ticket', rule: 'valid', message: 'is invalid or has expired' }],
  });
}

/** A response that belongs to no pending sign-in: there is no page to redirect to. */
export function unknownState(): ApiError {
  return new ApiError('INVALID_STATE', 'This sign-in is over, or was finished already. Begin again.', {
    statusCode: 400,
  });
}

/** Without a cookie, only the verifier shows that a ticket comes to whom it was meant for. */
export function codeChallengeMissing(): ApiError {
  return invalidField({
    field: 'codeChallenge',
    rule: 'required',
    message: 'is required of a client that keeps no cookies',
  });
}
