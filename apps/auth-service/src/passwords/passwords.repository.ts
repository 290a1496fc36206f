import type { AuthDatabase, Transaction } from '../database.ts';

/** What a sign-in is checked against. */
export interface StoredCredential {
  readonly userId: string;
  readonly passwordHash: string;
  readonly disabled: boolean;
}

/** A change of one user's stored password, which takes place only while the old one still stands. */
export interface HashReplacement {
  readonly userId: string;
  readonly from: string;
  readonly to: string;
  readonly at: Date;
}

/** Where stored passwords are kept. */
export interface PasswordsRepository {
  findByEmail(email: string): Promise<StoredCredential | undefined>;
  replace(replacement: HashReplacement): Promise<void>;
  insert(tx: Transaction, credential: { userId: string; passwordHash: string; at: Date }): Promise<void>;
}

const credentialByEmail = {
  name: 'credential-by-email',
  text: `
    SELECT c.user_id AS "userId", c.password_hash AS "passwordHash", u.disabled_at IS NOT NULL AS disabled
    FROM users u JOIN credentials c ON c.user_id = u.id
    WHERE u.email = $1`,
};

const replaceHash = {
  name: 'credential-replace-hash',
  text: `
    UPDATE credentials SET password_hash = $3, updated_at = $4
    WHERE user_id = $1 AND password_hash = $2`,
};

/** The stored passwords in PostgreSQL. Whom a sign-in is for is not known yet, so the look-up has no scope. */
export function createPasswordsRepository({ pool }: AuthDatabase): PasswordsRepository {
  return {
    async findByEmail(email) {
      const { rows } = (await pool.query({ ...credentialByEmail, values: [email] })) as {
        rows: StoredCredential[];
      };
      return rows[0];
    },
    async replace({ userId, from, to, at }) {
      await pool.query({ ...replaceHash, values: [userId, from, to, at] });
    },
    async insert(tx, { userId, passwordHash, at }) {
      await tx.prisma.credential.create({ data: { userId, passwordHash, updatedAt: at } });
    },
  };
}
