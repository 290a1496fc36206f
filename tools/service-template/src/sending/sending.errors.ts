import { ApiError } from '@tenantry/envelope';

/** How often a field note is mailed at most, so that this service cannot be used to flood a mailbox. */
export const mailsMax = 20;

/** The answer to one mail more. */
export const mailedTooOften = () =>
  new ApiError('CONFLICT', `This field note has been mailed ${mailsMax} times, which is the maximum.`, {
    reason: 'MAILED_TOO_OFTEN',
  });
