import { ApiError, invalidField } from '@tenantry/envelope';
import { preconditionFailed } from '@tenantry/service/resources';
import { nameMax, type DividedName } from './names.ts';

/** The user changed since the client read it (RFC 9110, 13.1.1). */
export const userChanged = () => preconditionFailed('user');

/** Other changes of the name came first at every attempt. */
export const renamedMeanwhile = () =>
  new ApiError('CONFLICT', 'The name was changed several times at this moment. Try again.', {
    headers: { 'retry-after': '1' },
    reason: 'CONCURRENT_CHANGE',
  });

/** The unchanged part is longer than the users API can show. */
export const nameTooLong = (changes: Partial<DividedName>) =>
  invalidField({
    field: changes.lastName === undefined ? 'firstName' : 'lastName',
    rule: 'maxLength',
    message: `must leave room for the rest of the name: together at most ${nameMax} characters`,
  });

/** Only users who administer others may change them. */
export const othersUser = () =>
  new ApiError('FORBIDDEN', 'You can change only your own user. Ask an admin of your organization.', {
    reason: 'ACCOUNT_OF_ANOTHER',
  });

/** Deleting your own account is done in auth-service. */
export const ownUser = () =>
  new ApiError(
    'FORBIDDEN',
    'You cannot delete your own user. Leave the organization or delete your account instead.',
    { reason: 'OWN_ACCOUNT' },
  );
