import type { HealthCheck } from '../health.ts';
import type { Logger } from '../logging.ts';
import type { RateLimit } from './rate-limit.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import { connectRedis } from './redis-connection.ts';

/** What {@link createRateLimits} is made of. */
export interface RateLimitsOptions {
  /** Where instances count together; without it each process counts by itself. */
  readonly redisUrl?: string | undefined;
  readonly logger: Logger;
  /** Milliseconds of a clock that never jumps; the process's own by default. */
  readonly now?: () => number;
}

/** The limits of one service. */
export interface RateLimits {
  /** Makes the limiter of one limit. */
  limiter(limit: RateLimit): RateLimiter;
  /** For the service's health: undefined where there is no Redis. */
  readonly check: HealthCheck | undefined;
  close(): void;
}

/**
 * Opens the limits of a service: counted in Redis where there is one, and in the process as well, which takes over at
 * once while Redis is away.
 *
 * @example
 * const rateLimits = createRateLimits({ redisUrl: config.REDIS_URL, logger });
 * const signIn = rateLimits.limiter({ name: 'sign-in', windows: [{ max: 10, seconds: 60 }] });
 * const rateLimit = limitedBy(signIn, ({ ip }) => addressKey(ip));
 * app.post('/sign-in', { config: { access: 'public', rateLimit } }, handler);
 */
export function createRateLimits({ redisUrl, logger, now }: RateLimitsOptions): RateLimits {
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl, logger);
  return {
    limiter: (limit) => createRateLimiter(limit, { redis, now: now ?? (() => performance.now()) }),
    check: redis && (() => redis.ping()),
    close: () => redis?.disconnect(),
  };
}
