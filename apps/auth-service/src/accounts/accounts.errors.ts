import { ApiError } from '@tenantry/envelope';

const code = 'USER_ALREADY_EXISTS';

/** The e-mail address already has an account. */
export function userAlreadyExists(): ApiError {
  return new ApiError(code, 'This e-mail address already has an account. Sign in instead.', {
    statusCode: 422,
    details: [{ field: 'email', rule: 'unique', message: 'is in use' }],
  });
}

/** Undoes a sign-up that would replace another one of its address without a letter that says so. */
export class UnannouncedSignUp extends Error {}

/** If accounts require an invitation: the same for every address, before any look-up. */
export function signUpClosed(): ApiError {
  return new ApiError(
    'SIGN_UP_CLOSED',
    'Accounts are created by invitation here. Ask an organization for one.',
    {
      statusCode: 403,
    },
  );
}

/** Erasing the account would leave organizations with members and no owner. */
export function ownsAlone(organizations: readonly string[]): ApiError {
  return new ApiError(
    'LAST_OWNER',
    'You are the last owner of an organization that has other members. Make one of them an owner, or delete it.',
    {
      statusCode: 409,
      details: organizations.map((name) => ({
        field: 'organization',
        rule: 'lastOwner',
        params: { name },
        message: `${name} has no other owner`,
      })),
    },
  );
}

/** Only for the operator: others must not learn whether an address has an account. */
export function accountUnknown(): ApiError {
  return new ApiError('NOT_FOUND', 'No account has this e-mail address.');
}

/** Whether an error is {@link userAlreadyExists}. */
export function isUserAlreadyExists(error: unknown): boolean {
  return error instanceof ApiError && error.code === code;
}
