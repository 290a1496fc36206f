import { unscopedStatement, type Transaction, type Unscoped } from '../../database.ts';
import { defineSweep } from '../../ground/index.ts';
import type { Statements } from '../../statements.types.ts';

/** The key of a counter: an e-mail address and the device of the client, both as hashes. */
export interface Attempt {
  readonly emailHash: Buffer;
  /** Null for a client that names no device. */
  readonly deviceHash: Buffer | null;
}

/** A counter of consecutive failures, including the current attempt; all unknown devices share the one without a device. */
export type Counter = Statements['lockout-reserve']['row'];

/** An attempt about to be counted, and the rules of a lock. */
interface Reservation extends Attempt {
  readonly at: Date;
  /** Consecutive failures before the first lock. */
  readonly threshold: number;
  /** How long the first lock lasts; each failure after it doubles the time. */
  readonly seconds: number;
  readonly secondsMax: number;
}

/** A device of an address. */
type KnownDevice = Pick<Counter, 'emailHash' | 'deviceHash'>;

/** The counter that applies: a device that has signed in before has its own. */
const deviceOf = `coalesce((SELECT device_hash FROM known_devices WHERE email_hash = $1 AND $2::bytea IS NOT NULL AND device_hash = $2), '')`;

const lockedUntil = unscopedStatement({
  name: 'lockout-locked-until',
  text: `
    SELECT locked_until AS "lockedUntil" FROM sign_in_failures
    WHERE email_hash = $1 AND device_hash = ${deviceOf} AND locked_until > $3`,
});

const lockAfter = (failures: string) => `
  CASE WHEN ${failures} >= $4::int
    THEN $3::timestamptz + least($6::float8, $5::float8 * 2 ^ least(${failures} - $4, 30)) * INTERVAL '1 second' END`;

// An attempt waits for a concurrent one of the same counter, and then sees its result.
const reserve = unscopedStatement({
  name: 'lockout-reserve',
  text: `
    INSERT INTO sign_in_failures AS counter (email_hash, device_hash, failures, locked_until, updated_at)
    VALUES ($1, ${deviceOf}, 1, ${lockAfter('1')}, $3)
    ON CONFLICT (email_hash, device_hash) DO UPDATE
    SET failures = counter.failures + 1, locked_until = ${lockAfter('(counter.failures + 1)')}, updated_at = $3
    WHERE counter.locked_until IS NULL OR counter.locked_until <= $3
    RETURNING email_hash AS "emailHash", device_hash AS "deviceHash", failures, locked_until AS "lockedUntil"`,
});

const reset = unscopedStatement({
  name: 'lockout-reset',
  text: `
    WITH own AS (DELETE FROM sign_in_failures WHERE email_hash = $1 AND device_hash = $2)
    UPDATE sign_in_failures SET failures = $3
    WHERE email_hash = $1 AND device_hash = '' AND $2 <> ''::bytea AND failures > $3`,
});

const resetAll = unscopedStatement({
  name: 'lockout-reset-all',
  text: 'DELETE FROM sign_in_failures WHERE email_hash = $1',
});

/** Of one address. */
const devicesMax = 50;

// The DELETE does not see the row written by the same statement, so it leaves room for it.
const rememberDevice = unscopedStatement({
  name: 'lockout-remember-device',
  text: `
    WITH seen AS (
      INSERT INTO known_devices (email_hash, device_hash, last_signed_in_at) VALUES ($1, $2, $3)
      ON CONFLICT (email_hash, device_hash) DO UPDATE SET last_signed_in_at = excluded.last_signed_in_at)
    DELETE FROM known_devices WHERE email_hash = $1 AND device_hash IN (
      SELECT device_hash FROM known_devices WHERE email_hash = $1 AND device_hash <> $2
      ORDER BY last_signed_in_at DESC OFFSET ${devicesMax - 1})`,
});

const knownDevice = unscopedStatement({
  name: 'lockout-known-device',
  text: 'SELECT true AS known FROM known_devices WHERE email_hash = $1 AND device_hash = $2',
});

const forgetDevicesOf = unscopedStatement({
  name: 'lockout-forget-devices-of',
  text: 'DELETE FROM known_devices WHERE email_hash = $1 AND device_hash <> ALL ($2::bytea[])',
});

/** Longer than any attacker waits between two guesses that are worth it. */
export const sweepSignInFailures = defineSweep({
  table: 'sign_in_failures',
  over: `updated_at < statement_timestamp() - INTERVAL '90 days'`,
  by: 'updated_at',
});
/** As long as a device cookie lives. */
export const sweepKnownDevices = defineSweep({
  table: 'known_devices',
  over: `last_signed_in_at < statement_timestamp() - INTERVAL '400 days'`,
  by: 'last_signed_in_at',
});

/**
 * Where failures are counted: by address and device, before anyone is signed in. All instances count together, and counts
 * survive restarts.
 */
export class LockoutRepository {
  /** Until when an attempt is locked; undefined when it is not. */
  async lockedUntil(rows: Unscoped, { emailHash, deviceHash }: Attempt, at: Date): Promise<Date | undefined> {
    const [locked] = await rows.query(lockedUntil, [emailHash, deviceHash, at]);
    return locked?.lockedUntil;
  }

  /** Counts an attempt as failed before it is tried; undefined while it is locked. */
  async reserve(rows: Unscoped, reservation: Reservation): Promise<Counter | undefined> {
    const { emailHash, deviceHash, at, threshold, seconds, secondsMax } = reservation;
    const values = [emailHash, deviceHash, at, threshold, seconds, secondsMax] as const;
    return (await rows.query(reserve, values))[0];
  }

  /**
   * Starts again at zero after a success. A known device is the owner's, so other devices' failures are no longer consecutive
   * with later ones: they start at the first lock again.
   */
  async reset(rows: Unscoped, { emailHash, deviceHash }: Counter, threshold: number): Promise<void> {
    await rows.query(reset, [emailHash, deviceHash, threshold]);
  }

  /** Starts again at zero for every device. */
  async resetAll(tx: Transaction, emailHash: Buffer): Promise<void> {
    await tx.query(resetAll, [emailHash]);
  }

  /** Whether a device has signed in to the address. */
  async isKnown(rows: Unscoped, { emailHash, deviceHash }: KnownDevice): Promise<boolean> {
    return (await rows.query(knownDevice, [emailHash, deviceHash])).length > 0;
  }

  /** Stores a device, and deletes those of the address that were least recently seen. */
  async rememberDevice(tx: Transaction, device: KnownDevice & { readonly at: Date }): Promise<void> {
    const { emailHash, deviceHash, at } = device;
    await tx.query(rememberDevice, [emailHash, deviceHash, at]);
  }

  /** Forgets the devices of an address, except those of `but`. */
  async forgetDevicesOf(tx: Transaction, emailHash: Buffer, but: readonly Buffer[] = []): Promise<void> {
    await tx.query(forgetDevicesOf, [emailHash, but]);
  }
}
