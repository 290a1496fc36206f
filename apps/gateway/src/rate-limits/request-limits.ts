import {
  countBy,
  type Counted,
  type CountedLimiter,
  type RateLimits,
} from '@tenantry/service-kit/rate-limits';
import type { Caller } from '../callers/caller.ts';

/** The limit of all users of one address, as a multiple of one session's. */
const usersPerAddress = 20;
/** The limit of all sessions of one user, everywhere, as a multiple of one session's. */
const sessionsPerUser = 5;
/** The limit of preflights of one address, as a multiple of its requests. */
const preflightsPerRequest = 10;

/**
 * Counts requests. With a verified token they count by its session at the address, so that neither colleagues nor a copied
 * token use up an owner's; all others count by address. Sessions and accounts are free, so those of a user, and all users of an
 * address, have limits together. Beyond the limit of its user a request counts as a stranger's: nobody who holds a token can
 * stop the owner.
 */
export class RequestLimits {
  readonly #strangers: CountedLimiter;
  readonly #sessions: CountedLimiter;
  readonly #users: CountedLimiter;
  readonly #together: CountedLimiter;
  readonly #preflights: CountedLimiter;

  /** @param perMinute of an address, and of a session */
  constructor(rateLimits: RateLimits, perMinute: number) {
    const limiter = (name: string, counted: string, max: number) =>
      rateLimits.limiter({ name, counted, windows: [{ max, seconds: 60 }] });
    this.#strangers = limiter('requests', 'requests from your network', perMinute);
    this.#sessions = limiter('requests-session', 'requests of this session', perMinute);
    this.#users = limiter('requests-user', 'requests of yours', perMinute * sessionsPerUser);
    this.#together = limiter('requests-users', 'requests from your network', perMinute * usersPerAddress);
    this.#preflights = limiter(
      'preflights',
      'preflight requests from your network',
      perMinute * preflightsPerRequest,
    );
  }

  /** @throws RATE_LIMITED */
  async count({ address, user }: Caller): Promise<Counted> {
    if (!user) return this.#strangers.consume(address);
    const ofUser = await this.#users.consume(user.userId).catch(() => undefined);
    if (!ofUser) return this.#strangers.consume(address);
    return countBy(
      { limiter: { consume: async () => ofUser }, key: user.userId },
      { limiter: this.#sessions, key: `${user.sessionId} ${address}` },
      { limiter: this.#together, key: address },
    );
  }

  /**
   * Counts requests that are refused before their caller is known.
   *
   * @param address as `addressKey` of service-kit gives it
   */
  consumeBroken(address: string): Promise<Counted> {
    return this.#strangers.consume(address);
  }

  /** Counts a request by address whose token turned out to be worth nothing; it has been let through. */
  async moveToAddress(counted: Counted, address: string): Promise<void> {
    await counted.giveBack();
    await this.#strangers.consume(address).catch(() => undefined);
  }

  /** @param address as `addressKey` of service-kit gives it */
  consumePreflight(address: string): Promise<Counted> {
    return this.#preflights.consume(address);
  }
}
