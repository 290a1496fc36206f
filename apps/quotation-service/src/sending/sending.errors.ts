import { ApiError } from '@tenantry/envelope';

/** There is nothing to mail again. */
export const quoteNotSent = () =>
  new ApiError('CONFLICT', 'The quote is a draft. Send it before you mail it again.', {
    reason: 'QUOTE_NOT_SENT',
  });

/** A quote is sent a limited number of times, so that its recipient is not flooded. */
export const mailedTooOften = (times: number) =>
  new ApiError('CONFLICT', `The quote was mailed ${times} times. Revise it to send it again.`, {
    reason: 'MAILED_TOO_OFTEN',
  });
