import { createHmac } from 'node:crypto';
import { addressKey } from '@tenantry/service-kit/addresses';
import { countBy, type Counted } from '@tenantry/service-kit/rate-limits';
import type { Client, Ground } from '../ground/index.ts';
import type { Lockout } from './lockout/lockout.ts';

/** An account by its address, and the client that asks. */
export interface AskedSignIn {
  readonly email: string;
  readonly client: Client;
}

/**
 * Limits sign-ins to an account that is named. A device that has signed in to it before is counted by itself; every other one
 * by its client address, which gets back what succeeds, and never more than that.
 */
export interface SignInLimits {
  /** Tries to sign in. @throws RATE_LIMITED; what the attempt throws */
  attempt<Result>(asked: AskedSignIn, attempt: (counted: Counted) => Promise<Result>): Promise<Result>;
  /** Counts a letter to sign in with. @throws RATE_LIMITED */
  countLetter(asked: AskedSignIn): Promise<void>;
}

/** What limiting sign-ins needs. */
export interface SignInLimitsDependencies extends Pick<Ground, 'database' | 'limits' | 'secrets'> {
  readonly lockout: Pick<Lockout, 'knownDevice'>;
}

export function createSignInLimits(dependencies: SignInLimitsDependencies): SignInLimits {
  const { database, limits, lockout, secrets } = dependencies;

  /** Nothing in Redis names a person. */
  const keyOf = (email: string, by: string) =>
    createHmac('sha256', secrets.current.key('throttling'))
      .update(`sign-in:${by}:${email}`)
      .digest('base64url');

  const addressOf = ({ client }: AskedSignIn) => addressKey(client.ipAddress ?? '');

  /** Undefined for a device that has not signed in to the account. */
  async function countKnown(asked: AskedSignIn): Promise<Counted | undefined> {
    const device = await lockout.knownDevice(database.unscoped, asked);
    if (device === undefined) return undefined;
    const { each, together } = limits.knownDevices;
    return countBy(
      { limiter: each, key: keyOf(asked.email, device) },
      { limiter: together, key: addressOf(asked) },
    );
  }

  return {
    async attempt(asked, attempt) {
      const counted = await countKnown(asked);
      if (counted) return attempt(counted);
      const address = addressOf(asked);
      return limits.signIns.run([address, keyOf(asked.email, address)], attempt);
    },
    async countLetter(asked) {
      if (!(await countKnown(asked))) await limits.signInLetters.consume(addressOf(asked));
    },
  };
}
