import rateLimit, {
  type FastifyRateLimitStore,
  type RateLimitHook,
  type RateLimitOptions,
} from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RateLimiter } from './rate-limiter.ts';

/** A limit as a route's `config.rateLimit` has it. */
export interface RouteRateLimit extends RateLimitOptions {
  readonly limiter: RateLimiter;
}

/** When and for which requests a limit counts. */
export interface LimitedByOptions {
  /** Default: onRequest. */
  readonly hook?: RateLimitHook;
  readonly exempts?: (request: FastifyRequest) => boolean;
}

/**
 * Limits a route, as its `config.rateLimit`: one time too many is 429, which tells what the limits are. Other answers
 * do not, so that how often somebody has asked makes no difference between answers that must be alike.
 */
export function limitedBy(
  limiter: RateLimiter,
  keyOf: (request: FastifyRequest) => string,
  { hook = 'onRequest', exempts }: LimitedByOptions = {},
): RouteRateLimit {
  // What one window may be is for the limiter to say, which may have several.
  const max = Number.MAX_SAFE_INTEGER;
  return { limiter, keyGenerator: keyOf, hook, max, ...(exempts ? { allowList: exempts } : {}) };
}

/** Lets routes say {@link limitedBy}; to be called before they are defined. */
export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    store: LimiterStore,
    enableDraftSpec: true,
    addHeadersOnExceeding: {
      'ratelimit-limit': false,
      'ratelimit-remaining': false,
      'ratelimit-reset': false,
    },
  });
}

/** Hands the counting to the route's limiter, whose own refusal names every window. */
class LimiterStore implements FastifyRateLimitStore {
  readonly #limiter: RateLimiter | undefined;

  constructor({ limiter }: { limiter?: RateLimiter }) {
    this.#limiter = limiter;
  }

  incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void): void {
    if (!this.#limiter) throw new Error('config.rateLimit is to be made by limitedBy()');
    this.#limiter.consume(key).then(
      () => done(null, { current: 0, ttl: 0 }),
      (error: unknown) => done(error as Error),
    );
  }

  child(route: object): LimiterStore {
    return new LimiterStore(route);
  }
}
