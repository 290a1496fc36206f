import { isUniqueViolation } from '@tenantry/service-kit';
import { unscopedStatement, type Transaction, type Unscoped } from '../database.ts';

/** Where addresses are kept: nobody is known by one before it is asked whose it is, so they have no scope. */
export interface EmailsRepository {
  /** Whether anyone has the address, disabled accounts included. */
  isTaken(rows: Unscoped, email: string): Promise<boolean>;
  /** Gives the account another address, confirmed; false when somebody else has it by now. */
  change(tx: Transaction, change: { userId: string; email: string; at: Date }): Promise<boolean>;
}

const emailTaken = unscopedStatement({
  name: 'email-taken',
  text: 'SELECT id FROM users WHERE email = $1',
});

const changeEmail = unscopedStatement({
  name: 'email-change',
  text: 'UPDATE users SET email = $2, email_verified_at = $3, updated_at = $3 WHERE id = $1',
});

/** Addresses in PostgreSQL. */
export function createEmailsRepository(): EmailsRepository {
  return {
    isTaken: async (rows, email) => (await rows.query(emailTaken, [email])).length > 0,

    async change(tx, { userId, email, at }) {
      try {
        await tx.query(changeEmail, [userId, email, at]);
        return true;
      } catch (error) {
        if (isUniqueViolation(error)) return false;
        throw error;
      }
    },
  };
}
