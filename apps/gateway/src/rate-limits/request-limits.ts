import { countBy, type Counted, type CountedLimiter, type RateLimits } from '@tenantry/service/rate-limits';
import type { Caller } from '../callers/caller.ts';

/** The limit of all users of one address, as a multiple of one session's. */
const usersPerAddress = 20;
/** The limit of all sessions of one user, everywhere, as a multiple of one session's. */
const sessionsPerUser = 5;
/** The limit of preflights of one address, as a multiple of its requests. */
const preflightsPerRequest = 10;

/** A request that has been counted. */
export interface Count {
  giveBack(): Promise<unknown>;
}

/**
 * Counts requests. With a verified token they count by its session at the address, so that neither colleagues nor a copied
 * token use up an owner's; all others count by address. Sessions and accounts are free, so those of a user, and all users of an
 * address, have limits together. Beyond the limit of its user a request counts as a stranger's, and one whose token a service
 * refuses counts with that of its session which are refused at the address: nobody who holds a token can stop the owner.
 */
export class RequestLimits {
  readonly #strangers: CountedLimiter;
  readonly #sessions: CountedLimiter;
  readonly #users: CountedLimiter;
  readonly #refused: CountedLimiter;
  readonly #together: CountedLimiter;
  readonly #preflights: CountedLimiter;

  /** @param perMinute of an address, and of a session */
  constructor(rateLimits: RateLimits, perMinute: number) {
    const limiter = (name: string, counted: string, max: number) =>
      rateLimits.limiter({ name, counted, windows: [{ max, seconds: 60 }] });
    this.#strangers = limiter('requests', 'requests from your network', perMinute);
    this.#sessions = limiter('requests-session', 'requests of this session', perMinute);
    this.#users = limiter('requests-user', 'requests of yours', perMinute * sessionsPerUser);
    this.#refused = limiter('requests-refused', 'requests of a session that has ended', perMinute);
    this.#together = limiter('requests-users', 'requests from your network', perMinute * usersPerAddress);
    this.#preflights = limiter(
      'preflights',
      'preflight requests from your network',
      perMinute * preflightsPerRequest,
    );
  }

  /** @throws RATE_LIMITED */
  async count({ address, user, refusedSessionId }: Caller): Promise<Count> {
    if (refusedSessionId !== undefined) return this.#countRefused(refusedSessionId, address);
    if (!user) return this.#strangers.consume(address);
    const ofSession = await this.#sessions.consume(`${user.sessionId} ${address}`);
    // Both in one exchange with Redis.
    const [ofUser, together] = await Promise.allSettled([
      this.#users.consume(user.userId),
      this.#together.consume(address),
    ]);
    const counted = [ofSession, ...fulfilled([ofUser, together])];
    const count = { giveBack: () => Promise.all(counted.map((one) => one.giveBack())) };
    if (ofUser.status === 'fulfilled' && together.status === 'fulfilled') return count;
    await count.giveBack();
    if (together.status === 'rejected') throw together.reason;
    return this.#strangers.consume(address);
  }

  /**
   * Counts requests that are refused before their caller is known.
   *
   * @param address as `addressKey` of libs/service gives it
   */
  consumeBroken(address: string): Promise<Counted> {
    return this.#strangers.consume(address);
  }

  /** Counts a request, which has been let through, as one whose token is worth nothing. */
  async moveToRefused(counted: Count, sessionId: string, address: string): Promise<void> {
    await counted.giveBack();
    await this.#countRefused(sessionId, address).catch(() => undefined);
  }

  /** By session, so that strangers at the address pay for it as little as the user. */
  #countRefused(sessionId: string, address: string): Promise<Counted> {
    return countBy(
      { limiter: this.#refused, key: `${sessionId} ${address}` },
      { limiter: this.#together, key: address },
    );
  }

  /** @param address as `addressKey` of libs/service gives it */
  consumePreflight(address: string): Promise<Counted> {
    return this.#preflights.consume(address);
  }
}

const fulfilled = <Value>(results: readonly PromiseSettledResult<Value>[]): Value[] =>
  results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
