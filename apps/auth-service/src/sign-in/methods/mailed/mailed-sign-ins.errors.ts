import { ApiError } from '@tenantry/envelope';

/** A method that is not configured, as if the route did not exist. */
export function notMailed(): ApiError {
  return new ApiError('NOT_FOUND', 'Sign-in by mailed code is not configured here.');
}

/** The same error for a wrong code, a code of another device, an expired request and an unknown one. */
export function wrongMailedCode(): ApiError {
  return new ApiError(
    'INVALID_CODE',
    'The code is wrong or has expired. Check it, or ask for another letter.',
    {
      statusCode: 401,
    },
  );
}

/** A valid link on another device than the one that requested it; it stays valid there. */
export function openedElsewhere(): ApiError {
  return new ApiError(
    'OPENED_ELSEWHERE',
    'This sign-in began on another device. Open the link there, or type the code of the letter there.',
    { statusCode: 400 },
  );
}
