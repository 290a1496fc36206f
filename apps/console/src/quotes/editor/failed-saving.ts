import { isTenantryError } from '@tenantry/client';

/**
 * What a failed request means: somebody was faster; it passes by itself; somebody signs in first; there is nothing to change
 * any more; or what was sent is not taken as it is.
 */
export function meaningOf(error: unknown): 'changed' | 'passing' | 'waiting' | 'gone' | 'refused' {
  if (!isTenantryError(error)) return 'waiting';
  const { code, reason, status } = error;
  if (code === 'PRECONDITION_FAILED' || reason === 'QUOTE_SENT') return 'changed';
  if (code === 'NOT_FOUND') return 'gone';
  if (status === 0 || status >= 500 || passing.has(code)) return 'passing';
  return waiting.has(code) ? 'waiting' : 'refused';
}

const passing: ReadonlySet<string> = new Set(['RATE_LIMITED', 'IDEMPOTENCY_KEY_IN_USE', 'REQUEST_TIMEOUT']);
const waiting: ReadonlySet<string> = new Set([
  'UNAUTHENTICATED',
  'SESSION_ADDRESS_CHANGED',
  'ORGANIZATION_CHANGED',
  'CSRF_FAILED',
  'NO_ACTIVE_ORGANIZATION',
  'FORBIDDEN',
]);
