import { isUniqueViolation } from '@tenantry/service-kit/failures';
import type { Transaction, Unscoped } from '../database.ts';

/** Addresses of accounts. They are unscoped, since they are looked up before a user is known. */
export class EmailsRepository {
  /** Whether any account, disabled ones included, has the address. */
  async isTaken({ prisma }: Unscoped, email: string): Promise<boolean> {
    return (await prisma.user.count({ where: { email } })) > 0;
  }

  /** Changes the account's address, as confirmed; false if another account has taken it. */
  async change(
    { prisma }: Transaction,
    { userId: id, email, at }: { userId: string; email: string; at: Date },
  ): Promise<boolean> {
    try {
      await prisma.user.updateMany({ where: { id }, data: { email, emailVerifiedAt: at, updatedAt: at } });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }
}
