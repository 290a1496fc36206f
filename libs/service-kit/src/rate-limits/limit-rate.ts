import type { FastifyRequest } from 'fastify';
import type { RateLimiter } from './rate-limiter.ts';

/** A hook for one route. */
export type RateLimitHook = (request: FastifyRequest) => Promise<void>;

/**
 * Limits a route as its hook: one time too many is 429, which tells what the limits are. Other answers do not, so that
 * how often somebody has asked makes no difference between answers that must be alike.
 */
export function limitRate(limiter: RateLimiter, keyOf: (request: FastifyRequest) => string): RateLimitHook {
  return async (request) => {
    await limiter.consume(keyOf(request));
  };
}
