import { ApiError } from '@tenantry/envelope';

/** A method that is not configured: as if there were nothing here. */
export function notMailed(): ApiError {
  return new ApiError('NOT_FOUND', 'Sign-in by mailed code is not configured here.');
}

/** One refusal for a wrong code, one of another device, a request that has ended, and one that never was. */
export function wrongMailedCode(): ApiError {
  return new ApiError(
    'INVALID_CODE',
    'The code is wrong or has expired. Check it, or ask for another letter.',
    {
      statusCode: 401,
    },
  );
}

/** A good link on another device than the one that asked for it: it stays good there. */
export function openedElsewhere(): ApiError {
  return new ApiError(
    'OPENED_ELSEWHERE',
    'This sign-in began on another device. Open the link there, or type the code of the letter there.',
    { statusCode: 400 },
  );
}
