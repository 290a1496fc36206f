import { isUniqueViolation } from '@tenantry/service-kit/failures';
import type { Transaction, Unscoped } from '../database.ts';

/** Where addresses are kept: nobody is known by one before it is asked whose it is, so they have no scope. */
export interface EmailsRepository {
  /** Whether anyone has the address, disabled accounts included. */
  isTaken(rows: Unscoped, email: string): Promise<boolean>;
  /** Gives the account another address, confirmed; false when somebody else has it by now. */
  change(tx: Transaction, change: { userId: string; email: string; at: Date }): Promise<boolean>;
}

/** Addresses in PostgreSQL. */
export function createEmailsRepository(): EmailsRepository {
  return {
    isTaken: async ({ prisma }, email) => (await prisma.user.count({ where: { email } })) > 0,

    async change({ prisma }, { userId: id, email, at }) {
      try {
        await prisma.user.updateMany({ where: { id }, data: { email, emailVerifiedAt: at, updatedAt: at } });
        return true;
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },
  };
}
