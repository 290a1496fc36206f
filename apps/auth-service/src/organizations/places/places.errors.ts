import { ApiError } from '@tenantry/envelope';
import type { ReasonOf } from '@tenantry/service/failures';

/** The quota of organizations that one account may belong to. */
export function tooManyOrganizations(isConfirmed: boolean): ApiError {
  return isConfirmed
    ? quotaExceeded(
        'ORGANIZATIONS',
        'Your account belongs to as many organizations as it may, and nothing was changed. Leave one, or ask the operator for more. A deleted one counts for its owners until its data is gone.',
      )
    : quotaExceeded(
        'ORGANIZATIONS_UNCONFIRMED',
        'Your account belongs to as many organizations as it may until you confirm your e-mail address, and nothing was changed. Confirm it, or leave one.',
      );
}

/** The quota of an organization's members and open invitations. */
export function tooManyPeople(isConfirmed: boolean): ApiError {
  return isConfirmed
    ? quotaExceeded(
        'PEOPLE',
        'The organization has as many members and open invitations as it may, and nothing was changed. Remove members, withdraw invitations, or ask the operator for more.',
      )
    : quotaExceeded(
        'PEOPLE_UNCONFIRMED',
        'The organization has as many members and open invitations as it may until an owner confirms their e-mail address, and nothing was changed. Confirm it, remove members, or withdraw invitations.',
      );
}

/** The quota of accounts that an organization has made. */
export const tooManyAccountsMade = (): ApiError =>
  quotaExceeded(
    'PEOPLE',
    'The organization has made as many accounts as it may, those of people who have left included, and nothing was changed. Ask the operator for more.',
  );

/** For routes that can return them. */
export const placeRefusals = {
  organizations: [tooManyOrganizations(true), tooManyOrganizations(false)],
  people: [tooManyPeople(true), tooManyPeople(false)],
} as const;

function quotaExceeded(reason: ReasonOf<'QUOTA_EXCEEDED'>, message: string): ApiError {
  return new ApiError('QUOTA_EXCEEDED', message, { statusCode: 409, reason });
}
