import { ApiError } from '@tenantry/envelope';

/** Only an accepted quote can become a contract. */
export const quoteNotAccepted = () =>
  new ApiError('CONFLICT', 'The quote is not accepted: only an accepted quote becomes a contract.', {
    reason: 'QUOTE_NOT_ACCEPTED',
  });

/** Also the answer to another organization's. */
export const contractNotFound = () => new ApiError('NOT_FOUND', 'The quote has no contract.');
