import { ApiError } from '@tenantry/envelope';

/** The quote was not sent, so there is nothing to mail again or to link to. */
export const quoteNotSent = () =>
  new ApiError('CONFLICT', 'The quote is a draft. Send it first.', {
    reason: 'QUOTE_NOT_SENT',
  });

/** A quote is sent a limited number of times, so that its recipient is not flooded. */
export const mailedTooOften = (times: number) =>
  new ApiError('CONFLICT', `The quote was mailed ${times} times. Revise it to send it again.`, {
    reason: 'MAILED_TOO_OFTEN',
  });

/** Links are kept as long as their quote. */
export const tooManyLinks = (links: number) =>
  new ApiError('CONFLICT', `The quote has ${links} links, which is the maximum. Use one of them.`, {
    reason: 'TOO_MANY_LINKS',
  });
