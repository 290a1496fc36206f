import { ApiError } from '@tenantry/envelope';

/** Why an organization does not let its member in: without a second factor, or without single sign-on, which it requires. */
export type EntryRefusal = 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED';

/** The same for an organization that does not exist and one that the user is not a member of. */
export function organizationNotFound(): ApiError {
  return new ApiError('NOT_FOUND', 'You are not a member of an organization with this id.');
}

/** Why a user does not get into an organization: null if they are no member. */
export function notLetIn({ refusal }: { readonly refusal: EntryRefusal | null }): ApiError {
  return refusal === null ? organizationNotFound() : refusals[refusal]();
}

const refusals = { SSO_REQUIRED: ssoRequired, TWO_FACTOR_REQUIRED: twoFactorRequired } as const;

/** Everything that {@link notLetIn} says. */
export const notLetInRefusals: readonly ApiError[] = [
  organizationNotFound(),
  ssoRequired(),
  twoFactorRequired(),
];

function ssoRequired(): ApiError {
  return new ApiError(
    'SSO_REQUIRED',
    'This organization wants you to sign in through it. Continue with your organization: no other way reaches it.',
    { statusCode: 403 },
  );
}

function twoFactorRequired(): ApiError {
  return new ApiError(
    'TWO_FACTOR_REQUIRED',
    'This organization requires two-factor authentication. Turn it on for your account, then try again.',
    { statusCode: 403 },
  );
}
