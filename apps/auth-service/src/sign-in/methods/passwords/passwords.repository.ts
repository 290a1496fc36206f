import { unscopedStatement, type Transaction, type Unscoped } from '../../../database.ts';
import type { Statements } from '../../../statements.types.ts';

/**
 * The stored password that a sign-in is checked against. Rehashing does not change when it was set. It is disabled with the
 * account, or alone after too many failures.
 */
export type StoredCredential = Statements['credential-by-email']['row'];

/** A change of a user's stored password, made only if the old one is still stored. */
interface HashReplacement {
  readonly userId: string;
  readonly from: string;
  readonly to: string;
}

/** A password that its user has chosen. */
interface NewPassword {
  readonly userId: string;
  readonly passwordHash: string;
  readonly setOn: string | null;
  readonly at: Date;
}

/** Identifies a password of a user by the time at which it was set. */
export interface SetPassword {
  readonly userId: string;
  readonly setAt: Date;
}

const credentialByEmail = unscopedStatement({
  name: 'credential-by-email',
  text: `
    SELECT c.user_id AS "userId", c.password_hash AS "passwordHash", c.updated_at AS "setAt",
      (u.disabled_at IS NOT NULL OR c.disabled_at IS NOT NULL) AS disabled,
      u.email_verified_at IS NOT NULL AS "emailVerified"
    FROM users u JOIN credentials c ON c.user_id = u.id
    WHERE u.email = $1`,
});

// The time is unchanged: it is the same password.
const replaceHash = unscopedStatement({
  name: 'credential-replace-hash',
  text: 'UPDATE credentials SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2',
});

const setPassword = unscopedStatement({
  name: 'credential-set',
  text: `
    INSERT INTO credentials (user_id, password_hash, updated_at, set_on) VALUES ($1, $2, $3, $4)
    ON CONFLICT (user_id) DO UPDATE
    SET password_hash = excluded.password_hash, updated_at = excluded.updated_at, set_on = excluded.set_on,
      disabled_at = NULL`,
});

const removePassword = unscopedStatement({
  name: 'credential-remove',
  text: `
    DELETE FROM credentials WHERE user_id = $1 AND ($2::text IS NULL OR set_on IS DISTINCT FROM $2)
    RETURNING user_id AS "userId"`,
});

const disablePassword = unscopedStatement({
  name: 'credential-disable',
  text: `
    UPDATE credentials SET disabled_at = $3 WHERE user_id = $1 AND updated_at = $2 AND disabled_at IS NULL
    RETURNING user_id AS "userId"`,
});

const usablePassword = unscopedStatement({
  name: 'credential-usable',
  text: `
    SELECT user_id AS "userId" FROM credentials
    WHERE user_id = $1 AND disabled_at IS NULL AND ($2::timestamptz IS NULL OR updated_at = $2)`,
});

/** Stores passwords. They are looked up by address before the user is known, so they have no scope. */
export class PasswordsRepository {
  async findByEmail(rows: Unscoped, email: string): Promise<StoredCredential | undefined> {
    return (await rows.query(credentialByEmail, [email]))[0];
  }

  async replace(rows: Unscoped, { userId, from, to }: HashReplacement): Promise<void> {
    await rows.query(replaceHash, [userId, from, to]);
  }

  /** Stores a password in place of a former one, which may have been disabled. */
  async set(tx: Transaction, { userId, passwordHash, at, setOn }: NewPassword): Promise<void> {
    await tx.query(setPassword, [userId, passwordHash, at, setOn]);
  }

  /** Deletes the password, unless `but` marks who set it. @returns whether there was one to delete */
  async remove(tx: Transaction, userId: string, but: string | null): Promise<boolean> {
    return (await tx.query(removePassword, [userId, but])).length > 0;
  }

  /** Disables the password that was set at that time. @returns whether it existed and was enabled */
  async disable(tx: Transaction, { userId, setAt }: SetPassword, at: Date): Promise<boolean> {
    return (await tx.query(disablePassword, [userId, setAt, at])).length > 0;
  }

  /** Whether the user has a password to sign in with; given a time, whether it is still the one that was set then. */
  async isUsable(rows: Unscoped, userId: string, setAt?: Date): Promise<boolean> {
    return (await rows.query(usablePassword, [userId, setAt ?? null])).length > 0;
  }
}
