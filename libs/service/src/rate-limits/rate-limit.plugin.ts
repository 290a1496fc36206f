import rateLimit, {
  type FastifyRateLimitStore,
  type RateLimitHook,
  type RateLimitOptions,
} from '@fastify/rate-limit';
import type { ApiError } from '@tenantry/envelope';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { RateLimitWindow } from './rate-limit.ts';

/** Counts for a route; the plugin compares with the window, and refuses. */
export interface RouteLimiter {
  /** The limit of the route. */
  readonly window: RateLimitWindow;
  /**
   * Counts once, in the window and in all related limits: other windows, or the site of an IPv6 address.
   *
   * @throws RATE_LIMITED (429) of these others
   */
  count(key: string): Promise<Usage>;
  /** The error when the window is used up. */
  refusal(key: string, resetSeconds: number): ApiError;
}

/** The count of a window, this request included. */
export interface Usage {
  readonly used: number;
  readonly resetSeconds: number;
  takeBack(): Promise<unknown>;
}

/** A limit as a route's `config.rateLimit` has it. */
export interface RouteRateLimit extends RateLimitOptions {
  readonly limiter: RouteLimiter;
}

/** When, and for which requests, a limit counts. */
export interface LimitedByOptions {
  /** Default: onRequest. */
  readonly hook?: RateLimitHook;
  readonly exempts?: (request: FastifyRequest) => boolean;
}

/**
 * Limits a route, as its `config.rateLimit`: beyond the limit the response is 429, with headers about the limits. Other
 * responses have no such headers, so that responses that must be indistinguishable do not differ in them.
 */
export function limitedBy(
  limiter: RouteLimiter,
  keyOf: (request: FastifyRequest) => string,
  { hook = 'onRequest', exempts }: LimitedByOptions = {},
): RouteRateLimit {
  const { max, seconds } = limiter.window;
  return {
    limiter,
    hook,
    max,
    timeWindow: seconds * 1_000,
    keyGenerator: keyOf,
    errorResponseBuilder: (request, { ttl }) => limiter.refusal(keyOf(request), Math.ceil(ttl / 1_000)),
    ...(exempts ? { allowList: exempts } : {}),
  };
}

/** Lets routes say {@link limitedBy}; to be registered before they are defined. */
export const limitRates = fp(
  async (app: FastifyInstance): Promise<void> => {
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
  },
  { name: 'rate-limits' },
);

/** Where the plugin counts: in the process and in Redis, by the limiter of the route. */
class LimiterStore implements FastifyRateLimitStore {
  readonly #limiter: RouteLimiter | undefined;

  constructor({ limiter }: { limiter?: RouteLimiter }) {
    this.#limiter = limiter;
  }

  incr(key: string, done: (error: Error | null, result?: { current: number; ttl: number }) => void): void {
    if (!this.#limiter) throw new Error('config.rateLimit is to be made by limitedBy()');
    this.#limiter.count(key).then(
      ({ used, resetSeconds }) => done(null, { current: used, ttl: resetSeconds * 1_000 }),
      (error: unknown) => done(error as Error),
    );
  }

  child(route: object): LimiterStore {
    return new LimiterStore(route);
  }
}
