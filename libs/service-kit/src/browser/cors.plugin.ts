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
 * Names the listed origins, and no other, in every answer, and answers their preflights; one of any other origin is
 * refused. Answers say to every cache that they depend on the origin. Hooks after this see no preflight: what counts them
 * comes before.
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

/** Whether a request only asks whether another one may be sent. */
export function isPreflight(method: string | undefined, headers: HeaderFields): boolean {
  return (
    method === 'OPTIONS' &&
    headers['origin'] !== undefined &&
    headers['access-control-request-method'] !== undefined
  );
}
