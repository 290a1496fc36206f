import type { Transaction, Unscoped } from '../../database.ts';
import type { Client, Ground } from '../../ground/index.ts';
import { accountLocked } from './lockout.errors.ts';
import { LockoutRepository, type Attempt, type Counter } from './lockout.repository.ts';

export type { Counter } from './lockout.repository.ts';

/** The address and client of an attempt to sign in. */
interface Claimant {
  readonly email: string;
  readonly client: Pick<Client, 'deviceId'>;
}

/**
 * Counts consecutive failures to prove a password, of addresses with and without an account alike, and locks after
 * too many of them. A device that has signed in before has a counter of its own: a stranger cannot lock the owner
 * out. ASVS 5.0, 6.3.1; NIST SP 800-63B-4, 3.2.2.
 */
export class Lockout {
  readonly #dependencies: Pick<Ground, 'config' | 'database' | 'secrets' | 'now'>;
  readonly #repository = new LockoutRepository();

  constructor(dependencies: Pick<Ground, 'config' | 'database' | 'secrets' | 'now'>) {
    this.#dependencies = dependencies;
  }

  /**
   * Counts an attempt as failed before the password is hashed, so that a burst of attempts causes no more hashes than the
   * permitted failures.
   *
   * @throws ACCOUNT_LOCKED (429, Retry-After) while locked.
   */
  async reserve(claimant: Claimant): Promise<Counter> {
    const { config, database, now } = this.#dependencies;
    const { unscoped } = database;
    const { LOCKOUT_THRESHOLD: threshold, LOCKOUT_SECONDS: seconds } = config;
    const figures = { threshold, seconds, secondsMax: config.LOCKOUT_SECONDS_MAX };
    const at = now();
    const attempt = this.#attemptOf(claimant);
    const counter = await this.#repository.reserve(unscoped, { ...attempt, ...figures, at });
    if (counter) return counter;
    // The lock may have ended between the two queries.
    const until = await this.#repository.lockedUntil(unscoped, attempt, at);
    throw accountLocked(until ?? at, at);
  }

  /** Resets the failures: the password was right. */
  succeed(counter: Counter): Promise<void> {
    const { config, database } = this.#dependencies;
    return this.#repository.reset(database.unscoped, counter, config.LOCKOUT_THRESHOLD);
  }

  /** Resets the failures of all devices, after a reset of the password. */
  clear(tx: Transaction, email: string): Promise<void> {
    return this.#repository.resetAll(tx, this.#hash('email', email));
  }

  /** The stored name of a device that has signed in to the address; undefined for any other. */
  async knownDevice(rows: Unscoped, claimant: Claimant): Promise<string | undefined> {
    const { emailHash, deviceHash } = this.#attemptOf(claimant);
    if (!deviceHash || !(await this.#repository.isKnown(rows, { emailHash, deviceHash }))) return undefined;
    return deviceHash.toString('base64url');
  }

  /** Gives the device a counter of its own from now on. Call it when a session starts. */
  async rememberDevice(tx: Transaction, claimant: Claimant): Promise<void> {
    const { emailHash, deviceHash } = this.#attemptOf(claimant);
    const at = this.#dependencies.now();
    if (deviceHash) await this.#repository.rememberDevice(tx, { emailHash, deviceHash, at });
  }

  /** Deletes the failures and the known devices of an address. */
  async forget(tx: Transaction, email: string): Promise<void> {
    await this.clear(tx, email);
    await this.#repository.forgetDevicesOf(tx, this.#hash('email', email));
  }

  /** Deletes the known devices of an address, except those of `but`: they share the counter of strangers again. */
  async forgetDevices(tx: Transaction, email: string, but: readonly string[]): Promise<void> {
    const kept = but.map((deviceId) => this.#hash('device', deviceId));
    await this.#repository.forgetDevicesOf(tx, this.#hash('email', email), kept);
  }

  #hash(kind: 'email' | 'device', text: string): Buffer {
    return this.#dependencies.secrets.current.mac('throttling', `${kind}:${text}`);
  }

  #attemptOf({ email, client }: Claimant): Attempt {
    return {
      emailHash: this.#hash('email', email),
      deviceHash: client.deviceId === null ? null : this.#hash('device', client.deviceId),
    };
  }
}
