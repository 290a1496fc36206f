import { ApiError } from '@tenantry/envelope';
import { allowedTransitions, type LeadStatus } from './lead-status.ts';

/** Also the answer to another organization's lead: whoever asks cannot tell the two apart. */
export const leadNotFound = () => new ApiError('NOT_FOUND', 'No lead has this id.');

/** The lead changed since the client read it (RFC 9110, 13.1.1). */
export const leadChanged = () =>
  new ApiError(
    'PRECONDITION_FAILED',
    'The lead has changed since you read it. Read it again and repeat the change.',
  );

/** A move that the transition table does not have. */
export function invalidTransition(from: LeadStatus, to: LeadStatus): ApiError {
  const allowed = allowedTransitions(from);
  const choice = allowed.length > 0 ? `can move to ${allowed.join(' or ')}` : 'cannot move any more';
  const message = `A lead that is ${from} cannot move to ${to}: it ${choice}.`;
  return new ApiError('INVALID_TRANSITION', message, {
    details: [
      {
        field: 'status',
        rule: 'transition',
        params: { from, to, allowed },
        message: `from ${from} to ${to} is not allowed; allowed: ${allowed.join(', ') || 'none'}`,
      },
    ],
  });
}
