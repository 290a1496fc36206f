import { isTenantryError } from '@tenantry/client';

/** Whether an error is temporary: no response, or unavailable. */
export const isPassing = (error: unknown): boolean =>
  isTenantryError(error) && (error.status === 0 || error.status >= 500);
