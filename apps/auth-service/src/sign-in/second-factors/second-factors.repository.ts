import { statement, type Rows, type Transaction } from '../../database.ts';
import type { Account, Authenticator, Means } from './second-factor.ts';

/** An encrypted secret. */
export interface SealedSecret {
  readonly encryptedSecret: Uint8Array;
  readonly secretId: string;
}

/** A set-up about to be started, of an app if it brings a secret. */
interface NewSetUp extends Partial<SealedSecret> {
  /** The session that starts it. */
  readonly begunBy: string;
  /** The mark of the device that starts it. */
  readonly addedOn: string | null;
  readonly at: Date;
}

const stateOfUser = statement({
  name: 'two-factor-state',
  owner: 'user',
  text: `
    SELECT enabled_at IS NOT NULL AS enabled, encrypted_secret IS NOT NULL AS "hasApp", (
      SELECT count(*)::int FROM two_factor_backup_codes c
      WHERE c.user_id = t.user_id AND c.used_at IS NULL AND t.enabled_at IS NOT NULL) AS "backupCodesLeft"
    FROM two_factor t WHERE t.user_id = $1`,
});

// The user's row first, as at sign-in: the same lock order everywhere prevents deadlocks.
const lockUser = statement({
  name: 'two-factor-lock-user',
  owner: 'user',
  text: `
    SELECT u.user_id AS id, u.email, u.name
    FROM users AS u (user_id)
    WHERE u.user_id = $1 AND u.disabled_at IS NULL
    FOR NO KEY UPDATE`,
});

// A separate statement after the lock on the user's row: it must see what the previous transaction committed.
const authenticatorOfUser = statement({
  name: 'two-factor-authenticator',
  owner: 'user',
  text: `
    SELECT encrypted_secret AS "encryptedSecret", secret_id AS "secretId", enabled_at AS "enabledAt",
      created_at AS "createdAt", begun_by AS "begunBy", last_time_step AS "lastTimeStep", failures, locked_until AS "lockedUntil",
      (SELECT count(*)::int FROM two_factor_backup_codes c WHERE c.user_id = t.user_id AND c.used_at IS NULL)
        AS "backupCodesLeft"
    FROM two_factor t WHERE user_id = $1`,
});

const beginSetUp = statement({
  name: 'two-factor-begin',
  owner: 'user',
  text: `
    INSERT INTO two_factor (user_id, encrypted_secret, secret_id, created_at, begun_by, added_on)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (user_id) DO UPDATE
    SET encrypted_secret = excluded.encrypted_secret, secret_id = excluded.secret_id, created_at = excluded.created_at,
      begun_by = excluded.begun_by, added_on = excluded.added_on
    WHERE two_factor.enabled_at IS NULL`,
});

const enableAuthenticator = statement({
  name: 'two-factor-enable',
  owner: 'user',
  text: `UPDATE two_factor SET enabled_at = $2 WHERE user_id = $1 AND enabled_at IS NULL`,
});

const removeAuthenticator = statement({
  name: 'two-factor-remove',
  owner: 'user',
  text: `
    DELETE FROM two_factor WHERE user_id = $1 AND ($2::text IS NULL OR added_on IS DISTINCT FROM $2)
    RETURNING enabled_at IS NOT NULL AS enabled`,
});

const advanceTimeStep = statement({
  name: 'two-factor-advance',
  owner: 'user',
  text: `
    UPDATE two_factor SET last_time_step = $2, encrypted_secret = $3, secret_id = $4, failures = 0
    WHERE user_id = $1 AND last_time_step < $2
    RETURNING user_id AS "userId"`,
});

const recordWrongCode = statement({
  name: 'two-factor-record-failure',
  owner: 'user',
  text: `UPDATE two_factor SET failures = $2, locked_until = $3 WHERE user_id = $1`,
});

const spendCode = statement({
  name: 'two-factor-spend-backup-code',
  owner: 'user',
  text: `
    WITH spent AS (
      UPDATE two_factor_backup_codes SET used_at = $3
      WHERE user_id = $1 AND code_hash = $2 AND used_at IS NULL
      RETURNING user_id
    )
    UPDATE two_factor SET failures = 0 FROM spent WHERE two_factor.user_id = spent.user_id
    RETURNING spent.user_id AS "userId"`,
});

const forgetCodes = statement({
  name: 'two-factor-forget-backup-codes',
  owner: 'user',
  text: `DELETE FROM two_factor_backup_codes WHERE user_id = $1`,
});

const insertCodes = statement({
  name: 'two-factor-insert-backup-codes',
  owner: 'user',
  text: `INSERT INTO two_factor_backup_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])`,
});

/** Stores second factors; the user is that of the scope. */
export class SecondFactorsRepository {
  async state(rows: Rows): Promise<Omit<Means, 'hasPasskey'> & { readonly enabled: boolean }> {
    const [state] = await rows.query(stateOfUser, []);
    return state ?? { enabled: false, hasApp: false, backupCodesLeft: 0 };
  }

  /** Locks the user until the transaction ends: decisions on the account are made one at a time. */
  async lockForUpdate(tx: Transaction): Promise<Account | undefined> {
    const [user] = await tx.query(lockUser, []);
    if (!user) return undefined;
    const [authenticator] = await tx.query(authenticatorOfUser, []);
    return { ...user, authenticator };
  }

  /** Starts a set-up, replacing an unfinished one. Counts and used codes are kept. */
  async begin(tx: Transaction, setUp: NewSetUp): Promise<void> {
    const { encryptedSecret = null, secretId = null, at, begunBy, addedOn } = setUp;
    await tx.query(beginSetUp, [encryptedSecret, secretId, at, begunBy, addedOn]);
  }

  async enable(tx: Transaction, at: Date): Promise<void> {
    await tx.query(enableAuthenticator, [at]);
  }

  /** Removes it, unless the device with the mark `but` has set it up. @returns whether one was enabled and is removed */
  async remove(tx: Transaction, but: string | null = null): Promise<boolean> {
    const [removed] = await tx.query(removeAuthenticator, [but]);
    return removed?.enabled === true;
  }

  /** Advances to a later time step and resets the wrong codes; false if it is not later. */
  async advance(tx: Transaction, step: SealedSecret & { readonly timeStep: number }): Promise<boolean> {
    const { timeStep, encryptedSecret, secretId } = step;
    return (await tx.query(advanceTimeStep, [timeStep, encryptedSecret, secretId])).length > 0;
  }

  async recordFailure(
    tx: Transaction,
    { failures, lockedUntil }: Pick<Authenticator, 'failures' | 'lockedUntil'>,
  ): Promise<void> {
    await tx.query(recordWrongCode, [failures, lockedUntil]);
  }

  /** Consumes a backup code and resets the wrong codes; false if there is no such unused code. */
  async spendBackupCode(tx: Transaction, codeHash: Buffer, at: Date): Promise<boolean> {
    return (await tx.query(spendCode, [codeHash, at])).length > 0;
  }

  async replaceBackupCodes(tx: Transaction, codeHashes: readonly Buffer[]): Promise<void> {
    await tx.query(forgetCodes, []);
    await tx.query(insertCodes, [codeHashes]);
  }
}
