import { ApiError } from '@tenantry/envelope';

/** No owner is left, or the organization is being purged. */
export const notRestorable = (): ApiError =>
  new ApiError('CONFLICT', 'This organization can no longer be restored.', { reason: 'NOT_RESTORABLE' });
