import type { FastifyReply, FastifyRequest } from 'fastify';
import { rateLimitHeaders } from './rate-limit-headers.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** A hook for one route. */
export type RateLimitHook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Limits a route as its `onRequest` hook: every answer tells what is left, one time too many is 429. */
export function limitRate(limiter: RateLimiter, keyOf: (request: FastifyRequest) => string): RateLimitHook {
  return async (request, reply) => {
    reply.headers(rateLimitHeaders(await limiter.consume(keyOf(request))));
  };
}
