import type { Transaction, Unscoped } from '../../database.ts';
import type { Attempt, Counter, LockoutFigures } from './failure-counter.ts';

/** An attempt about to be counted. */
export interface Reservation {
  readonly attempt: Attempt;
  readonly figures: LockoutFigures;
  readonly at: Date;
}

/** Where failures are counted: by address and device, before anyone is signed in. */
export interface LockoutRepository {
  /** Until when an attempt is locked; undefined when it is not. */
  lockedUntil(pool: Unscoped, attempt: Attempt, at: Date): Promise<Date | undefined>;
  /** Counts an attempt as failed before it is tried; undefined while it is locked. */
  reserve(pool: Unscoped, reservation: Reservation): Promise<Counter | undefined>;
  /** Starts again at zero after a success. */
  reset(pool: Unscoped, counter: Counter): Promise<void>;
  /** Starts again at zero for every device. */
  resetAll(tx: Transaction, emailHash: Buffer): Promise<void>;
  rememberDevice(tx: Transaction, device: { emailHash: Buffer; deviceHash: Buffer; at: Date }): Promise<void>;
  /** Deletes counters and devices that have been quiet since. */
  forget(pool: Unscoped, quiet: { readonly countersSince: Date; readonly devicesSince: Date }): Promise<void>;
}

/** The counter that applies: a device that has signed in before has its own. */
const deviceOf = `coalesce((SELECT device_hash FROM known_devices WHERE email_hash = $1 AND device_hash = $2), '')`;

const lockedUntil = {
  name: 'lockout-locked-until',
  text: `
    SELECT locked_until AS "lockedUntil" FROM sign_in_failures
    WHERE email_hash = $1 AND device_hash = ${deviceOf} AND locked_until > $3`,
};

const lockAfter = (failures: string) => `
  CASE WHEN ${failures} >= $4::int
    THEN $3::timestamptz + least($6::float8, $5::float8 * 2 ^ least(${failures} - $4, 30)) * INTERVAL '1 second' END`;

// An attempt that meets another of the same counter waits for it, and then sees what it wrote.
const reserve = {
  name: 'lockout-reserve',
  text: `
    INSERT INTO sign_in_failures AS counter (email_hash, device_hash, failures, locked_until, updated_at)
    VALUES ($1, ${deviceOf}, 1, ${lockAfter('1')}, $3)
    ON CONFLICT (email_hash, device_hash) DO UPDATE
    SET failures = counter.failures + 1, locked_until = ${lockAfter('(counter.failures + 1)')}, updated_at = $3
    WHERE counter.locked_until IS NULL OR counter.locked_until <= $3
    RETURNING email_hash AS "emailHash", device_hash AS "deviceHash", failures, locked_until AS "lockedUntil"`,
};

const reset = {
  name: 'lockout-reset',
  text: 'DELETE FROM sign_in_failures WHERE email_hash = $1 AND device_hash = $2',
};

const forgetCounters = 'DELETE FROM sign_in_failures WHERE updated_at < $1';
const forgetDevices = 'DELETE FROM known_devices WHERE last_signed_in_at < $1';

/** Of one account; beyond it the one that has not been seen for longest is forgotten. */
const devicesMax = 50;

/** The counters in PostgreSQL: all instances count together, and a restart forgets nothing. */
export function createLockoutRepository(): LockoutRepository {
  return {
    async lockedUntil(pool, { emailHash, deviceHash }, at) {
      const query = { ...lockedUntil, values: [emailHash, deviceHash, at] };
      const { rows } = (await pool.query(query)) as { rows: { lockedUntil: Date }[] };
      return rows[0]?.lockedUntil;
    },

    async reserve(pool, { attempt: { emailHash, deviceHash }, figures, at }) {
      const { threshold, seconds, secondsMax } = figures;
      const values = [emailHash, deviceHash, at, threshold, seconds, secondsMax];
      const { rows } = (await pool.query({ ...reserve, values })) as { rows: Counter[] };
      return rows[0];
    },

    async reset(pool, { emailHash, deviceHash }) {
      await pool.query({ ...reset, values: [emailHash, deviceHash] });
    },

    async resetAll({ prisma }, emailHash) {
      await prisma.signInFailures.deleteMany({ where: { emailHash: new Uint8Array(emailHash) } });
    },

    async rememberDevice({ prisma }, { at, ...hashes }) {
      const emailHash = new Uint8Array(hashes.emailHash);
      const device = { emailHash, deviceHash: new Uint8Array(hashes.deviceHash) };
      const { count } = await prisma.knownDevice.updateMany({ where: device, data: { lastSignedInAt: at } });
      if (count > 0) return;
      await prisma.knownDevice.createMany({ data: { ...device, lastSignedInAt: at }, skipDuplicates: true });
      const tooMany = await prisma.knownDevice.findMany({
        where: { emailHash },
        orderBy: { lastSignedInAt: 'desc' },
        skip: devicesMax,
      });
      for (const { deviceHash } of tooMany) {
        await prisma.knownDevice.deleteMany({ where: { emailHash, deviceHash } });
      }
    },

    async forget(pool, { countersSince, devicesSince }) {
      await pool.query(forgetCounters, [countersSince]);
      await pool.query(forgetDevices, [devicesSince]);
    },
  };
}
