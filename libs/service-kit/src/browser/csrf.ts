import { hash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@tenantry/envelope';

const digestLength = 22;

/** The claim `csh`: lets any service check, without a shared secret, whether a CSRF token belongs to a session. */
export function csrfDigest(csrfToken: string): string {
  return hash('sha256', csrfToken, 'base64url').slice(0, digestLength);
}

/** Whether a `csh` is the digest of the value of X-CSRF-Token. */
export function isCsrfToken(csrfToken: unknown, digest: string): boolean {
  if (typeof csrfToken !== 'string') return false;
  const [given, expected] = [Buffer.from(csrfDigest(csrfToken)), Buffer.from(digest)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The refusal of a request that another site's page may have caused. */
export function csrfFailed(): ApiError {
  return new ApiError(
    'CSRF_FAILED',
    'X-CSRF-Token is missing or not the one of this session. Read it from GET /api/auth/csrf.',
    { statusCode: 403 },
  );
}
