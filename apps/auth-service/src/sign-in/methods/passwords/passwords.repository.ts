import type { Transaction, Unscoped } from '../../../database.ts';

/** What a sign-in is checked against. */
export interface StoredCredential {
  readonly userId: string;
  readonly passwordHash: string;
  /** When the user set the password; renewing its hash is no change of it. */
  readonly setAt: Date;
  /** The account, or the password alone after too many failures. */
  readonly disabled: boolean;
  readonly emailVerified: boolean;
}

/** A change of one user's stored password, made only while the old one is still stored. */
export interface HashReplacement {
  readonly userId: string;
  readonly from: string;
  readonly to: string;
}

/** A password that its user has chosen. */
export interface NewPassword {
  readonly userId: string;
  readonly passwordHash: string;
  readonly at: Date;
}

/** Where stored passwords are kept. Before a sign-in nobody is known, so the look-up by address has no scope. */
export interface PasswordsRepository {
  findByEmail(pool: Unscoped, email: string): Promise<StoredCredential | undefined>;
  replace(pool: Unscoped, replacement: HashReplacement): Promise<void>;
  insert(tx: Transaction, credential: NewPassword): Promise<void>;
  /** Replaces the former password, and enables it again if it was disabled. */
  set(tx: Transaction, credential: NewPassword): Promise<void>;
  /** Disables the password. @returns whether it was enabled before */
  disable(tx: Transaction, password: { readonly userId: string; readonly at: Date }): Promise<boolean>;
  /** Whether the user still has the password that was set then. */
  isCurrent(tx: Transaction, password: { readonly userId: string; readonly setAt: Date }): Promise<boolean>;
}

const credentialByEmail = {
  name: 'credential-by-email',
  text: `
    SELECT c.user_id AS "userId", c.password_hash AS "passwordHash", c.updated_at AS "setAt",
      (u.disabled_at IS NOT NULL OR c.disabled_at IS NOT NULL) AS disabled,
      u.email_verified_at IS NOT NULL AS "emailVerified"
    FROM users u JOIN credentials c ON c.user_id = u.id
    WHERE u.email = $1`,
};

// The time stays as it is: it is the same password.
const replaceHash = {
  name: 'credential-replace-hash',
  text: 'UPDATE credentials SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2',
};

/** Stored passwords in PostgreSQL. */
export function createPasswordsRepository(): PasswordsRepository {
  return {
    async findByEmail(pool, email) {
      const query = { ...credentialByEmail, values: [email] };
      const { rows } = (await pool.query(query)) as { rows: StoredCredential[] };
      return rows[0];
    },

    async replace(pool, { userId, from, to }) {
      await pool.query({ ...replaceHash, values: [userId, from, to] });
    },

    async insert({ prisma }, { userId, passwordHash, at }) {
      await prisma.credential.create({ data: { userId, passwordHash, updatedAt: at } });
    },

    async set({ prisma }, { userId, passwordHash, at }) {
      const password = { passwordHash, disabledAt: null, updatedAt: at };
      await prisma.credential.upsert({
        where: { userId },
        update: password,
        create: { userId, ...password },
      });
    },

    async disable({ prisma }, { userId, at }) {
      const where = { userId, disabledAt: null };
      const { count } = await prisma.credential.updateMany({ where, data: { disabledAt: at } });
      return count > 0;
    },

    async isCurrent({ prisma }, { userId, setAt }) {
      const where = { userId, updatedAt: setAt, disabledAt: null };
      return (await prisma.credential.count({ where })) > 0;
    },
  };
}
