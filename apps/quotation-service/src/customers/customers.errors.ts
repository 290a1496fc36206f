import { ApiError } from '@tenantry/envelope';
import { preconditionFailed } from '@tenantry/service/resources';

/** Also for another organization's customer, so that the two cannot be told apart. */
export const customerNotFound = () => new ApiError('NOT_FOUND', 'No customer has this id.');

/** Nothing can be sent to an erased customer, and no quote created for it. */
export const customerErased = () =>
  new ApiError('CONFLICT', 'The customer was erased.', { reason: 'CUSTOMER_ERASED' });

/** The customer changed since the client read it (RFC 9110, 13.1.1). */
export const customerChanged = () => preconditionFailed('customer');
