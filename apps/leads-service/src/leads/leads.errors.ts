import { ApiError } from '@tenantry/envelope';
import { preconditionFailed } from '@tenantry/service/resources';

/** Also for another organization's lead, so that the two cannot be told apart. */
export const leadNotFound = () => new ApiError('NOT_FOUND', 'No lead has this id.');

/** The lead changed since the client read it (RFC 9110, 13.1.1). */
export const leadChanged = () => preconditionFailed('lead');
