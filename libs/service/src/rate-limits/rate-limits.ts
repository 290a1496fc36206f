import type { HealthCheck } from '../health/health.ts';
import type { Logger } from '../logging/logging.ts';
import type { Measurement } from '../metrics/measurement.ts';
import type { RateLimit } from './rate-limit.ts';
import { CountedLimiter, type LimiterCounts } from './rate-limiter.ts';
import { connectRedis } from './redis-connection.ts';
import type { CountingOptions } from './window-counter.ts';

/** Options of {@link RateLimits}. */
export interface RateLimitsOptions {
  /** Where instances count together; without it each process counts by itself. */
  readonly redisUrl?: string | undefined;
  /** How long Redis may take to answer, in milliseconds; default: 250. */
  readonly redisAnswerMsMax?: number | undefined;
  readonly logger: Logger;
  /** A monotonic clock, in milliseconds; by default the process's. */
  readonly now?: () => number;
}

/**
 * The limits of one service: counted in Redis if there is one, and also in the process, which takes over immediately while
 * Redis is down.
 *
 * @example
 * const rateLimits = new RateLimits({ redisUrl: config.REDIS_URL, logger });
 * const windows = [{ max: 10, seconds: 60 }];
 * const signIn = rateLimits.limiter({ name: 'sign-in', counted: 'sign-ins', windows });
 * const rateLimit = limitedBy(signIn, ({ ip }) => addressKey(ip));
 * app.post('/sign-in', { config: { access: 'public', rateLimit } }, handler);
 */
export class RateLimits {
  /** For the service's health: undefined where there is no Redis. */
  readonly check: HealthCheck | undefined;
  /** How often each limit has refused, and how often Redis was down. */
  readonly measurements: readonly Measurement[];
  readonly #counting: CountingOptions;
  readonly #counts = new Map<string, LimiterCounts>();

  constructor({ redisUrl, redisAnswerMsMax, logger, now = () => performance.now() }: RateLimitsOptions) {
    const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl, logger, redisAnswerMsMax);
    this.#counting = { redis, now };
    this.check = redis && (() => redis.ping());
    this.measurements = measurementsOf(this.#counts);
  }

  /** Makes the limiter of one limit. */
  limiter(limit: RateLimit): CountedLimiter {
    const limiter = new CountedLimiter(limit, this.#counting);
    this.#counts.set(limit.name, limiter.counts);
    return limiter;
  }

  close(): void {
    this.#counting.redis?.disconnect();
  }
}

function measurementsOf(counts: ReadonlyMap<string, LimiterCounts>): Measurement[] {
  const byLimit = (valueOf: (counts: LimiterCounts) => number) => () =>
    [...counts].map(([limit, of]) => ({ labels: { limit }, value: valueOf(of) }));
  return [
    {
      name: 'tenantry_rate_limit_refusals_total',
      help: 'What rate limits have refused, by limit',
      type: 'counter',
      read: byLimit(({ refused }) => refused),
    },
    {
      name: 'tenantry_redis_fallbacks_total',
      help: 'How often a limit was counted in this process alone because Redis gave no answer',
      type: 'counter',
      read: byLimit(({ withoutRedis }) => withoutRedis),
    },
  ];
}
