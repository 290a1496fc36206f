import type { HeaderFields, Origins } from './origins.ts';

const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Client-Platform',
  'X-Client-Version',
  'X-CSRF-Token',
  'X-Device-Id',
  'X-Request-Id',
].join(', ');
const exposedHeaders = [
  'ETag',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');
const preflightAgeSeconds = 600;

/**
 * The CORS headers of any answer: an origin is named only when it is on the list, and answers that depend on it say
 * so to every cache.
 */
export function corsHeaders(headers: HeaderFields, origins: Origins): Readonly<Record<string, string>> {
  const { origin } = headers;
  if (typeof origin !== 'string' || !origins.has(origin)) return { vary: 'Origin' };
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': exposedHeaders,
    vary: 'Origin',
  };
}

/** Whether a request only asks whether another one may be sent. */
export function isPreflight(method: string | undefined, headers: HeaderFields): boolean {
  return (
    method === 'OPTIONS' &&
    headers['origin'] !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}

/** The answer to a preflight; undefined when the origin is not on the list. */
export function preflightHeaders(
  headers: HeaderFields,
  origins: Origins,
): Readonly<Record<string, string>> | undefined {
  const { origin } = headers;
  if (typeof origin !== 'string' || !origins.has(origin)) return undefined;
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': allowedMethods,
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': String(preflightAgeSeconds),
    vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
  };
}
