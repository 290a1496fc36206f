import { isTenantryError } from '@tenantry/client';

/** No answer, or none for the time being: later the same may be answered. */
export const isPassing = (error: unknown): boolean =>
  isTenantryError(error) && (error.status === 0 || error.status >= 500);
