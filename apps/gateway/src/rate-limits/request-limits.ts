import { countBy, type Counted, type RateLimiter, type RateLimits } from '@tenantry/service-kit';
import type { Caller } from '../callers/caller.ts';

/** What all users of one address may do, in times of what one of them may. */
const usersPerAddress = 20;
/** What one address may ask its browsers' permission for, in times of what it may do. */
const preflightsPerRequest = 10;

/**
 * Counts requests: those of a user whose token has been verified by user, so that colleagues behind one address do not use up
 * each other's, and all others by address. Accounts are free, so the users of an address have a limit together, too.
 */
export class RequestLimits implements RateLimiter {
  readonly #strangers: RateLimiter;
  readonly #users: RateLimiter;
  readonly #together: RateLimiter;
  readonly #preflights: RateLimiter;

  /** @param perMinute of an address, and of a user */
  constructor(rateLimits: RateLimits, perMinute: number) {
    const limiter = (name: string, counted: string, max: number) =>
      rateLimits.limiter({ name, counted, windows: [{ max, seconds: 60 }] });
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
  consume(key: string): Promise<Counted> {
    const end = key.indexOf(' ');
    if (end < 0) return this.#strangers.consume(key);
    return countBy(
      { limiter: this.#users, key: key.slice(end + 1) },
      { limiter: this.#together, key: key.slice(0, end) },
    );
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
