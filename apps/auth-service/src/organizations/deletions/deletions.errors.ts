import { ApiError } from '@tenantry/envelope';

/** Nobody is left to whom it could be given back, or it is being purged. */
export const notRestorable = (): ApiError =>
  new ApiError('CONFLICT', 'This organization can no longer be restored.', { reason: 'NOT_RESTORABLE' });
