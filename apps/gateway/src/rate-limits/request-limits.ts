import type { ApiError } from '@tenantry/envelope';
import type {
  Counted,
  CountedLimiter,
  RateLimits,
  RateLimitWindow,
  RouteLimiter,
  Usage,
} from '@tenantry/service-kit/rate-limits';
import type { Caller } from '../callers/caller.ts';

/** The limit of all users of one address, as a multiple of one user's. */
const usersPerAddress = 20;
/** The limit of preflights of one address, as a multiple of its requests. */
const preflightsPerRequest = 10;

/**
 * Counts requests: those of a user whose token has been verified by user, so that colleagues behind one address do not use up
 * each other's, and all others by address. Accounts are free, so the users of an address also have a limit together.
 */
export class RequestLimits implements RouteLimiter {
  readonly window: RateLimitWindow;
  readonly #strangers: CountedLimiter;
  readonly #users: CountedLimiter;
  readonly #together: CountedLimiter;
  readonly #preflights: CountedLimiter;

  /** @param perMinute of an address, and of a user */
  constructor(rateLimits: RateLimits, perMinute: number) {
    const limiter = (name: string, counted: string, max: number) =>
      rateLimits.limiter({ name, counted, windows: [{ max, seconds: 60 }] });
    this.window = { max: perMinute, seconds: 60 };
    this.#strangers = limiter('requests', 'requests from your network', perMinute);
    this.#users = limiter('requests-user', 'requests of yours', perMinute);
    this.#together = limiter('requests-users', 'requests from your network', perMinute * usersPerAddress);
    this.#preflights = limiter(
      'preflights',
      'preflight requests from your network',
      perMinute * preflightsPerRequest,
    );
  }

  /** @param key of {@link keyOf} */
  async count(key: string): Promise<Usage> {
    const [address = '', userId] = key.split(' ');
    if (userId === undefined) return this.#strangers.count(address);
    const usage = await this.#users.count(userId);
    if (usage.used > this.window.max) return usage;
    try {
      await this.#together.consume(address);
      return usage;
    } catch (error) {
      await usage.takeBack();
      throw error;
    }
  }

  refusal(key: string, resetSeconds: number): ApiError {
    const limiter = key.includes(' ') ? this.#users : this.#strangers;
    return limiter.refusal(key, resetSeconds);
  }

  /**
   * Counts requests that are refused before their caller is known.
   *
   * @param address as `addressKey` of service-kit gives it
   */
  consumeBroken(address: string): Promise<Counted> {
    return this.#strangers.consume(address);
  }

  /** @param address as `addressKey` of service-kit gives it */
  consumePreflight(address: string): Promise<Counted> {
    return this.#preflights.consume(address);
  }
}

/** The key under which a caller's requests count. */
export function keyOf({ address, userId }: Caller): string {
  return userId === undefined ? address : `${address} ${userId}`;
}
