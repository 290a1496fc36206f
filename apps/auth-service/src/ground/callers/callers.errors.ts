import { ApiError } from '@tenantry/envelope';

/** The same for an organization that does not exist and one that the user is not a member of. */
export function organizationNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You are not a member of an organization with this id.');
}

/** Why a user does not get into an organization. */
export function notLetIn({ twoFactorMissing }: { readonly twoFactorMissing: boolean }): ApiError {
  return twoFactorMissing ? twoFactorRequired() : organizationNotFound();
}

/** Everything that {@link notLetIn} says. */
export const notLetInRefusals: readonly ApiError[] = [organizationNotFound(), twoFactorRequired()];

function twoFactorRequired(): ApiError {
  return new ApiError(
    'TWO_FACTOR_REQUIRED',
    'This organization requires two-factor authentication. Turn it on for your account, then try again.',
    { statusCode: 403 },
  );
}
