import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { originNotAllowed, type HeaderFields, type Origins } from './origins.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const allowedHeaders = [
  'Authorization',
  'Consistency-Token',
  'Content-Type',
  'Expected-Organization',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'X-Client-Platform',
  'X-Client-Version',
  'X-CSRF-Token',
  'X-Device-Id',
  'X-Request-Id',
];
const exposedHeaders = [
  'Consistency-Token',
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
];
const preflightAgeSeconds = 600;

/**
 * Sends CORS headers for the listed origins only, answers their preflights, and refuses those of any other origin. Responses
 * tell caches that they vary by origin. Later hooks see no preflights, so hooks that count them must come before.
 */
export async function allowOrigins(app: FastifyInstance, origins: Origins): Promise<void> {
  const notListed: FastifyCorsOptions = { origin: false, preflight: false };
  const answer: FastifyCorsOptions = { credentials: true, exposedHeaders, preflight: false };
  const grant: FastifyCorsOptions = {
    credentials: true,
    methods,
    allowedHeaders,
    maxAge: preflightAgeSeconds,
  };
  await app.register(cors, {
    delegator: (request: FastifyRequest, done) => {
      const { origin } = request.headers;
      const listed = origin !== undefined && origins.has(origin);
      if (!isPreflight(request.method, request.headers))
        done(null, listed ? { ...answer, origin } : notListed);
      else if (listed) done(null, { ...grant, origin });
      else done(originNotAllowed());
    },
  });
}

/** Whether a request is a preflight. */
export function isPreflight(method: string | undefined, headers: HeaderFields): boolean {
  return (
    method === 'OPTIONS' &&
    headers['origin'] !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}
