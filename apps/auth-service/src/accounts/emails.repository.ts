import { isUniqueViolation } from '@tenantry/service-kit';
import type { Transaction, Unscoped } from '../database.ts';

/** Where addresses are kept. */
export interface EmailsRepository {
  /** Whether anyone has the address, disabled accounts included. */
  isTaken(pool: Unscoped, email: string): Promise<boolean>;
  /** Gives the account another address, confirmed; false when somebody else has it by now. */
  change(tx: Transaction, change: { userId: string; email: string; at: Date }): Promise<boolean>;
}

const emailTaken = { name: 'email-taken', text: 'SELECT FROM users WHERE email = $1' };

/** Addresses in PostgreSQL. */
export function createEmailsRepository(): EmailsRepository {
  return {
    async isTaken(pool, email) {
      const { rows } = (await pool.query({ ...emailTaken, values: [email] })) as { rows: unknown[] };
      return rows.length > 0;
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
