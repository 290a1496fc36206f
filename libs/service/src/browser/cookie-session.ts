import { hash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '@tenantry/envelope';
import { isUnsafe } from '../routes/methods.ts';
import { boundStanding } from './binding.ts';
import type { SessionCookies } from './cookies.ts';
import { addressOf, deviceKey, readDevice } from './device.ts';
import { originNotAllowed, originStanding, type HeaderFields, type Origins } from './origins.ts';

/** The part of a request that is read. */
export interface BrowserRequest {
  readonly method: string | undefined;
  readonly headers: HeaderFields;
  readonly cookies: SessionCookies;
  /** Of the client, as far as proxies are trusted. */
  readonly address: string;
}

/**
 * The access token of a request that carries its session in a cookie; undefined for any other client, which needs neither
 * Origin nor CSRF token. The token is not verified here, but by the service that uses it.
 *
 * @throws ApiError ORIGIN_NOT_ALLOWED or CSRF_FAILED for an unsafe method that our own page may not have sent: the
 *   browser adds the cookie to anyone's request. ASVS 5.0, 3.5.1.
 */
export function cookieToken(request: BrowserRequest, origins: Origins): string | undefined {
  const { method, headers, cookies } = request;
  const { access } = cookies;
  if (access === undefined || headers['authorization'] !== undefined) return undefined;
  const digests = digestsIn(access);
  if (digests === undefined) return undefined;

  if (isUnsafe(method)) {
    if (originStanding(headers, origins) !== 'allowed') throw originNotAllowed();
    if (!isCsrfToken(headers['x-csrf-token'], digests.csh)) throw csrfFailed();
  }
  return access;
}

/**
 * Refuses a token from a cookie that is used on another device, or at another address, than it was given to.
 *
 * @throws ApiError UNAUTHENTICATED for another device, SESSION_ADDRESS_CHANGED for another address
 */
export function requireBound(token: string, { headers, cookies, address }: BrowserRequest): void {
  const digests = digestsIn(token);
  const device = deviceKey(readDevice(headers, cookies.device));
  if (!digests) throw sessionElsewhere();
  const party = { sessionId: digests.sid, device, address: addressOf(address) };
  const standing = boundStanding(digests.bnd, party);
  if (standing === 'other-address') throw sessionAddressChanged();
  if (standing === 'elsewhere') throw sessionElsewhere();
}

/** The refusal of a session at another address: the session is alive, and continues once its user confirms it there. */
export function sessionAddressChanged(): ApiError {
  const message =
    'Your session belongs to another address. Continue it here: send your password or a second factor to /api/auth/session/rebind.';
  return new ApiError('SESSION_ADDRESS_CHANGED', message, {
    statusCode: 401,
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** The refusal of a session that is used on another device. */
export function sessionElsewhere(): ApiError {
  const message = 'This session belongs to another device. Sign in again.';
  return new ApiError('UNAUTHENTICATED', message, {
    reason: 'SESSION_ELSEWHERE',
    headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  });
}

const csrfDigestLength = 22;

/** The claim `csh`: lets any service check, without a shared secret, whether a CSRF token belongs to a session. */
export function csrfDigest(csrfToken: string): string {
  return hash('sha256', csrfToken, 'base64url').slice(0, csrfDigestLength);
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

/** The digest of the CSRF token that goes with an access token, which is not verified here; undefined without one. */
export function csrfDigestIn(token: string): string | undefined {
  return digestsIn(token)?.csh;
}

interface Digests {
  readonly sid: string;
  readonly csh: string;
  readonly bnd: string | null;
}

/** The binding in a token; undefined if it is not one of our tokens. */
function digestsIn(token: string): Digests | undefined {
  try {
    const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
    const { sid, csh, bnd } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof sid !== 'string' || typeof csh !== 'string') return undefined;
    return { sid, csh, bnd: typeof bnd === 'string' ? bnd : null };
  } catch {
    return undefined;
  }
}
