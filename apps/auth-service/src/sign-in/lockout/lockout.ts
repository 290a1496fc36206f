import { createHmac } from 'node:crypto';
import type { Transaction, Unscoped } from '../../database.ts';
import type { Background, Client, Ground } from '../../ground/index.ts';
import type { Attempt, Counter } from './failure-counter.ts';
import { accountLocked } from './lockout.errors.ts';
import { createLockoutRepository } from './lockout.repository.ts';

/** Who tries to sign in, from where. */
export interface Claimant {
  readonly email: string;
  readonly client: Pick<Client, 'deviceId'>;
}

/**
 * Counts consecutive failures to prove a password, of addresses with and without an account alike, and locks after
 * too many of them. A device that has signed in before has a counter of its own: a stranger cannot lock the owner
 * out. ASVS 5.0, 6.3.1; NIST SP 800-63B-4, 3.2.2.
 */
export interface Lockout {
  /**
   * Counts an attempt as failed, before the password is hashed, so that a burst of attempts causes no more hashes than
   * there may be failures.
   *
   * @throws ACCOUNT_LOCKED (429, Retry-After) while locked.
   */
  reserve(claimant: Claimant): Promise<Counter>;
  /** Takes the failures back: the password was right. */
  succeed(counter: Counter): Promise<void>;
  /** Takes back the failures of all devices, after a reset of the password. */
  clear(tx: Transaction, email: string): Promise<void>;
  /** The name by which a device is known that has signed in to the address; undefined for any other. */
  knownDevice(rows: Unscoped, claimant: Claimant): Promise<string | undefined>;
  /** Gives the device a counter of its own from now on. Call it when a session starts. */
  rememberDevice(tx: Transaction, claimant: Claimant): Promise<void>;
  /** Takes the counters of their own from all devices of an address. */
  forgetDevices(tx: Transaction, email: string): Promise<void>;
  /** Forgets what has been quiet for long. */
  readonly sweeps: NonNullable<Background['sweeps']>;
}

const dayMs = 24 * 60 * 60 * 1_000;
/** Longer than any attacker waits between two guesses that are worth it. */
const counterLifetimeMs = 90 * dayMs;
/** As long as a device cookie lives. */
const deviceLifetimeMs = 400 * dayMs;

export function createLockout(ground: Pick<Ground, 'config' | 'database' | 'secrets' | 'now'>): Lockout {
  const { config, database, secrets, now } = ground;
  const { unscoped } = database;
  const repository = createLockoutRepository();
  const secret = secrets.current;
  const figures = {
    threshold: config.LOCKOUT_THRESHOLD,
    seconds: config.LOCKOUT_SECONDS,
    secondsMax: config.LOCKOUT_SECONDS_MAX,
  };

  const hash = (kind: 'email' | 'device', text: string) =>
    createHmac('sha256', secret.key('throttling')).update(`${kind}:${text}`).digest();

  const attemptOf = ({ email, client }: Claimant): Attempt => ({
    emailHash: hash('email', email),
    deviceHash: client.deviceId === null ? null : hash('device', client.deviceId),
  });

  return {
    async reserve(claimant) {
      const at = now();
      const attempt = attemptOf(claimant);
      const counter = await repository.reserve(unscoped, { attempt, figures, at });
      if (counter) return counter;
      // The lock may have ended between the two questions.
      const until = await repository.lockedUntil(unscoped, attempt, at);
      throw accountLocked(until ?? at, at);
    },

    succeed: (counter) => repository.reset(unscoped, counter, figures),
    clear: (tx, email) => repository.resetAll(tx, hash('email', email)),

    async knownDevice(rows, claimant) {
      const { emailHash, deviceHash } = attemptOf(claimant);
      if (!deviceHash || !(await repository.isKnown(rows, { emailHash, deviceHash }))) return undefined;
      return deviceHash.toString('base64url');
    },

    async rememberDevice(tx, claimant) {
      const { emailHash, deviceHash } = attemptOf(claimant);
      if (deviceHash) await repository.rememberDevice(tx, { emailHash, deviceHash, at: now() });
    },

    forgetDevices: (tx, email) => repository.forgetDevicesOf(tx, hash('email', email)),

    sweeps: {
      signInFailures: () => repository.sweepCounters(unscoped, new Date(now().getTime() - counterLifetimeMs)),
      knownDevices: () => repository.sweepDevices(unscoped, new Date(now().getTime() - deviceLifetimeMs)),
    },
  };
}
