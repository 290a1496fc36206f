import { ApiError } from '@tenantry/envelope';

/** Why an organization does not let its member in: a second factor that it requires is missing. */
export type EntryRefusal = 'TWO_FACTOR_REQUIRED';

/** The same for an organization that does not exist and one that the user is not a member of. */
export function organizationNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You are not a member of an organization with this id.');
}

/** Why a user does not get into an organization: null if they are no member. */
export function notLetIn({ refusal }: { readonly refusal: EntryRefusal | null }): ApiError {
  return refusal === null ? organizationNotFound() : refusals[refusal]();
}

const refusals = { TWO_FACTOR_REQUIRED: twoFactorRequired } as const;

/** Everything that {@link notLetIn} says. */
export const notLetInRefusals: readonly ApiError[] = [organizationNotFound(), twoFactorRequired()];

function twoFactorRequired(): ApiError {
  return new ApiError(
    'TWO_FACTOR_REQUIRED',
    'This organization requires two-factor authentication. Turn it on for your account, then try again.',
    { statusCode: 403 },
  );
}
