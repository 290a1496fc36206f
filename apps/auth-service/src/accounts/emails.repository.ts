import { isUniqueViolation, type AuthDatabase, type Transaction } from '../database.ts';

/** An account as far as its address is concerned. */
export interface EmailAccount {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly verified: boolean;
  readonly createdAt: Date;
  /** Where what happens to the account alone is recorded. */
  readonly organizationId: string | null;
}

/** Where addresses are kept. */
export interface EmailsRepository {
  transaction<Result>(userId: string, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** The account of an address, unless it is disabled. */
  findByEmail(email: string): Promise<EmailAccount | undefined>;
  /** Whether anyone has the address, disabled accounts included. */
  isTaken(email: string): Promise<boolean>;
  /** The transaction's account, which waits for it; undefined when it is disabled. */
  hold(tx: Transaction, userId: string, at: Date): Promise<EmailAccount | undefined>;
  /** Marks the address as its user's, and says whether that is new. */
  confirm(tx: Transaction, userId: string, at: Date): Promise<boolean>;
  /** Gives the account another address, confirmed; false when somebody else has it by now. */
  change(tx: Transaction, change: { userId: string; email: string; at: Date }): Promise<boolean>;
}

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly emailVerifiedAt: Date | null;
  readonly createdAt: Date;
  readonly lastOrganizationId: string | null;
}

const accountOf = (user: UserRow): EmailAccount => ({
  userId: user.id,
  email: user.email,
  name: user.name,
  verified: user.emailVerifiedAt !== null,
  createdAt: user.createdAt,
  organizationId: user.lastOrganizationId,
});

const accountByEmail = {
  name: 'email-account-by-email',
  text: `
    SELECT id, email, name, email_verified_at AS "emailVerifiedAt", created_at AS "createdAt",
      last_organization_id AS "lastOrganizationId"
    FROM users WHERE email = $1 AND disabled_at IS NULL`,
};

const emailTaken = { name: 'email-taken', text: 'SELECT FROM users WHERE email = $1' };

/** Addresses in PostgreSQL. Whose an address is may have to be found out first, so look-ups have no scope. */
export function createEmailsRepository(database: AuthDatabase): EmailsRepository {
  const { pool } = database;
  return {
    transaction: (userId, work) => database.within({ userId }).transaction(work),

    async findByEmail(email) {
      const { rows } = (await pool.query({ ...accountByEmail, values: [email] })) as { rows: UserRow[] };
      return rows[0] && accountOf(rows[0]);
    },

    async isTaken(email) {
      const { rows } = (await pool.query({ ...emailTaken, values: [email] })) as { rows: unknown[] };
      return rows.length > 0;
    },

    async hold({ prisma }, userId, at) {
      const where = { id: userId, disabledAt: null };
      const [user] = await prisma.user.updateManyAndReturn({ where, data: { updatedAt: at } });
      return user && accountOf(user);
    },

    async confirm({ prisma }, userId, at) {
      const where = { id: userId, emailVerifiedAt: null };
      const { count } = await prisma.user.updateMany({ where, data: { emailVerifiedAt: at } });
      return count > 0;
    },

    async change({ prisma }, { userId, email, at }) {
      try {
        const data = { email, emailVerifiedAt: at, updatedAt: at };
        await prisma.user.updateMany({ where: { id: userId }, data });
        return true;
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },
  };
}
