import type { AuthDatabase, Transaction } from '../../../database.ts';

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

/** An account as its owner's mail needs it. */
export interface MailAccount {
  readonly userId: string;
  readonly name: string;
  /** Where what happens to the account alone is recorded. */
  readonly organizationId: string | null;
}

/** A change of one user's stored password, which takes place only while the old one still stands. */
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

/** Where stored passwords are kept. */
export interface PasswordsRepository {
  transaction<Result>(userId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  findByEmail(email: string): Promise<StoredCredential | undefined>;
  /** The account of an address, unless it is disabled. */
  findAccount(email: string): Promise<MailAccount | undefined>;
  /** Marks the account as changed, and makes its sign-ins wait for the transaction; undefined when it is disabled. */
  touchAccount(
    tx: Transaction,
    account: { readonly userId: string; readonly at: Date },
  ): Promise<(MailAccount & { readonly email: string }) | undefined>;
  replace(replacement: HashReplacement): Promise<void>;
  insert(tx: Transaction, credential: NewPassword): Promise<void>;
  /** Takes the place of the former password, and ends its being disabled. */
  set(tx: Transaction, credential: NewPassword): Promise<void>;
  /** Disables the password, and says whether it was not disabled yet. */
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

const accountByEmail = {
  name: 'account-by-email',
  text: `
    SELECT id AS "userId", name, last_organization_id AS "organizationId"
    FROM users WHERE email = $1 AND disabled_at IS NULL`,
};

// The time stays: it is the same password.
const replaceHash = {
  name: 'credential-replace-hash',
  text: 'UPDATE credentials SET password_hash = $3 WHERE user_id = $1 AND password_hash = $2',
};

/** The stored passwords in PostgreSQL. Whom a sign-in is for is not known yet, so the look-up has no scope. */
export function createPasswordsRepository(database: AuthDatabase): PasswordsRepository {
  const { pool } = database;
  return {
    transaction: (userId, work) => database.within({ userId }).transaction(work),

    async findByEmail(email) {
      const { rows } = (await pool.query({ ...credentialByEmail, values: [email] })) as {
        rows: StoredCredential[];
      };
      return rows[0];
    },

    async findAccount(email) {
      const { rows } = (await pool.query({ ...accountByEmail, values: [email] })) as { rows: MailAccount[] };
      return rows[0];
    },

    async touchAccount({ prisma }, { userId, at }) {
      const where = { id: userId, disabledAt: null };
      const [user] = await prisma.user.updateManyAndReturn({ where, data: { updatedAt: at } });
      return user && { userId, email: user.email, name: user.name, organizationId: user.lastOrganizationId };
    },

    async replace({ userId, from, to }) {
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
