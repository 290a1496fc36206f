import { ApiError, invalidField } from '@tenantry/envelope';
import { preconditionFailed } from '@tenantry/service/resources';
import { quoteStatus, type QuoteStatus } from './quote-status.ts';

/** Also for another organization's quote, so that the two cannot be told apart. */
export const quoteNotFound = () => new ApiError('NOT_FOUND', 'No quote has this id.');

/** The quote changed since the client read it (RFC 9110, 13.1.1). */
export const quoteChanged = () => preconditionFailed('quote');

/** The quote was sent, so its content must not change. */
export const quoteFrozen = () =>
  new ApiError('CONFLICT', 'The quote was sent and cannot change. Revise it, and change the new draft.', {
    reason: 'QUOTE_SENT',
  });

/** Too large to read. Such quotes are older than the limit on their text. */
export const quoteTooLarge = () =>
  new ApiError('QUOTE_TOO_LARGE', 'The quote is too large to be read as a whole.', { statusCode: 409 });

/** A name is given, but no customer. */
export const customerUnnamed = () =>
  invalidField({ field: 'customerId', rule: 'required', message: 'must be given with customerName' });

/** The prices of lines are in a currency. */
export const currencyFixed = () =>
  new ApiError('CONFLICT', 'The currency cannot change once the quote has an item. Delete its items first.', {
    reason: 'CURRENCY_FIXED',
  });

/** The offer has ended. */
export const quoteExpired = () =>
  new ApiError(
    'QUOTE_EXPIRED',
    'The quote was valid until a moment that has passed. Revise it to offer it again.',
    {
      statusCode: 409,
    },
  );

/** A draft is changed itself, and an accepted quote is binding. */
export const quoteUnrevisable = () =>
  new ApiError('CONFLICT', 'Only a quote that was sent or rejected can be revised.', {
    reason: 'QUOTE_NOT_REVISABLE',
  });

/** A newer revision replaces it. */
export const quoteSuperseded = () =>
  new ApiError('CONFLICT', 'The quote was replaced by a newer revision.', { reason: 'QUOTE_SUPERSEDED' });

/** The move is not in the table. */
export const quoteCannotMove = (from: QuoteStatus, to: QuoteStatus) => quoteStatus.refusal(from, to);
