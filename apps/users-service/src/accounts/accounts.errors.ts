import { ApiError, invalidField } from '@tenantry/envelope';

/** Also for another organization's user, so that the two cannot be told apart. */
export const userNotFound = () => new ApiError('NOT_FOUND', 'No user has this id.');

/** In any organization. */
export const emailInUse = () =>
  invalidField({ field: 'email', rule: 'unique', message: 'is in use: sign in with it, or invite it' });

/** The own account, in a session that an organization's identity provider has started, as auth-service says it. */
export const signInRequired = (
  message = 'You signed in through your organization. To change your own account, sign in with your own password or passkey.',
) => new ApiError('SIGN_IN_REQUIRED', message);

/** An organization always keeps an owner. */
export const lastOwner = () =>
  new ApiError(
    'CONFLICT',
    'This is the only owner of the organization. Make another member an owner first.',
    {
      reason: 'ONLY_OWNER',
    },
  );

/** The organization has all the members and open invitations that it may, as auth-service says it. */
export const tooManyPeople = (
  reason: 'PEOPLE' | 'PEOPLE_UNCONFIRMED' = 'PEOPLE',
  message = 'The organization has as many members and open invitations as it may. Remove members, withdraw invitations, or ask the operator for more.',
) => new ApiError('QUOTA_EXCEEDED', message, { statusCode: 409, reason });

/** The key belongs to another request. */
export const keyReused = () =>
  new ApiError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used for another request. Use a new key for each new request.',
  );

/** Nothing was changed, or repeating the request will find the change. */
export const accountsUnavailable = (cause?: unknown) =>
  new ApiError('UPSTREAM_UNAVAILABLE', 'Accounts cannot be changed at the moment. Try again shortly.', {
    headers: { 'retry-after': '1' },
    cause,
  });
