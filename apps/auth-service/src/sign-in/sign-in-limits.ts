import { countBy, type Counted } from '@tenantry/service/rate-limits';
import { addressKeyOf, type Client, type Ground } from '../ground/index.ts';
import type { Mail } from '../mail/index.ts';
import type { Lockout } from './lockout/lockout.ts';

/** An account by its address, and the client that asks. */
interface AskedSignIn {
  readonly email: string;
  readonly client: Client;
}

/** An account as a proof names it: by its address or its user; undefined where the proof names none. */
interface ProvenSignIn {
  readonly of: { readonly email: string } | { readonly userId: string } | undefined;
  readonly client: Client;
}

interface SignInLimitsDependencies extends Pick<Ground, 'database' | 'limits' | 'secrets'> {
  readonly lockout: Pick<Lockout, 'knownDevice'>;
  readonly mail: Pick<Mail, 'addressees'>;
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

  /** Tries to sign in by another proof than a password: a code, a passkey. @throws RATE_LIMITED; what the attempt throws */
  async prove<Result>({ of, client }: ProvenSignIn, attempt: () => Promise<Result>): Promise<Result> {
    const email = await this.#addressOf(of, client);
    if (email !== undefined && (await this.#countKnown({ email, client }, 'proof:'))) return attempt();
    return this.#dependencies.limits.signIns.run([addressKeyOf(client)], attempt);
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

  /** Undefined also for a client that names no device: nobody's address is looked up for it. */
  async #addressOf(of: ProvenSignIn['of'], client: Client): Promise<string | undefined> {
    if (of === undefined || client.deviceId === null) return undefined;
    const { database, mail } = this.#dependencies;
    return 'email' in of ? of.email : mail.addressees.findEmail(database.unscoped, of.userId);
  }

  /** Undefined for a device that has not signed in to the account. */
  async #countKnown(asked: AskedSignIn, kind = ''): Promise<Counted | undefined> {
    const { database, limits, lockout } = this.#dependencies;
    const device = await lockout.knownDevice(database.unscoped, asked);
    if (device === undefined) return undefined;
    const { each, together } = limits.knownDevices;
    return countBy(
      { limiter: each, key: this.#keyOf(asked.email, kind + device) },
      { limiter: together, key: addressKeyOf(asked.client) },
    );
  }
}
