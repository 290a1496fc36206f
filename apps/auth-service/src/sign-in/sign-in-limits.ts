import { countBy, type Counted } from '@tenantry/service-kit/rate-limits';
import { addressKeyOf, type Client, type Ground } from '../ground/index.ts';
import type { Lockout } from './lockout/lockout.ts';

/** An account by its address, and the client that asks. */
interface AskedSignIn {
  readonly email: string;
  readonly client: Client;
}

interface SignInLimitsDependencies extends Pick<Ground, 'database' | 'limits' | 'secrets'> {
  readonly lockout: Pick<Lockout, 'knownDevice'>;
}

/**
 * Limits sign-ins to a named account. A device that has signed in to it before is counted separately; others by client address,
 * where successes are not counted.
 */
export class SignInLimits {
  readonly #dependencies: SignInLimitsDependencies;

  constructor(dependencies: SignInLimitsDependencies) {
    this.#dependencies = dependencies;
  }

  /** Tries to sign in. @throws RATE_LIMITED; what the attempt throws */
  async attempt<Result>(asked: AskedSignIn, attempt: (counted: Counted) => Promise<Result>): Promise<Result> {
    const counted = await this.#countKnown(asked);
    if (counted) return attempt(counted);
    const address = addressKeyOf(asked.client);
    return this.#dependencies.limits.signIns.run([address, this.#keyOf(asked.email, address)], attempt);
  }

  /** Counts a letter to sign in with. @throws RATE_LIMITED */
  async countLetter(asked: AskedSignIn): Promise<void> {
    const { limits } = this.#dependencies;
    if (!(await this.#countKnown(asked))) await limits.signInLetters.consume(addressKeyOf(asked.client));
  }

  /** Keys in Redis identify no person. */
  #keyOf(email: string, by: string): string {
    const { current } = this.#dependencies.secrets;
    return current.mac('throttling', `sign-in:${by}:${email}`).toString('base64url');
  }

  /** Undefined for a device that has not signed in to the account. */
  async #countKnown(asked: AskedSignIn): Promise<Counted | undefined> {
    const { database, limits, lockout } = this.#dependencies;
    const device = await lockout.knownDevice(database.unscoped, asked);
    if (device === undefined) return undefined;
    const { each, together } = limits.knownDevices;
    return countBy(
      { limiter: each, key: this.#keyOf(asked.email, device) },
      { limiter: together, key: addressKeyOf(asked.client) },
    );
  }
}
