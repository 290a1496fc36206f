import { ApiError } from '@tenantry/envelope';

/** Also the answer to another organization's field note: the two cannot be told apart. */
export const fieldNoteNotFound = () => new ApiError('NOT_FOUND', 'No field note has this id.');
