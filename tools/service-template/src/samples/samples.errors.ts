import { ApiError } from '@tenantry/envelope';

/** Also the answer to another organization's sample: the two cannot be told apart. */
export const sampleNotFound = () => new ApiError('NOT_FOUND', 'No sample has this id.');
