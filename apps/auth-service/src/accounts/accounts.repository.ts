import { isUniqueViolation } from '@tenantry/service-kit/failures';
import { unscopedStatement, type Transaction } from '../database.ts';
import type { User } from '../ground/index.ts';
import { userAlreadyExists } from './accounts.errors.ts';

/** What its user reads letters in, and where their days begin; null while the user has not said. */
export interface Locale {
  readonly language: string | null;
  readonly timeZone: string | null;
}

/** An account about to be created. */
export interface NewAccount extends User, Locale {
  readonly createdAt: Date;
  readonly emailVerifiedAt: Date | null;
  /** Nobody signs in to it before the address is confirmed. */
  readonly awaitsConfirmation: boolean;
}

/** Where accounts are kept. */
export interface AccountsRepository {
  /** Makes every other sign-up of the address wait for the transaction. */
  lockAddress(tx: Transaction, email: string): Promise<void>;
  /** Whether an address has an account that no sign-up replaces. */
  isSettled(tx: Transaction, email: string): Promise<boolean>;
  /** @throws USER_ALREADY_EXISTS */
  insert(tx: Transaction, account: NewAccount): Promise<void>;
}

const lockAddress = unscopedStatement({
  name: 'account-lock-address',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
});

/** Accounts in PostgreSQL. */
export function createAccountsRepository(): AccountsRepository {
  return {
    async lockAddress(tx, email) {
      await tx.query(lockAddress, [email]);
    },

    async isSettled({ prisma }, email) {
      const awaiting = { awaitsConfirmation: true, emailVerifiedAt: null };
      return (await prisma.user.count({ where: { email, NOT: awaiting } })) > 0;
    },

    async insert({ prisma }, account) {
      try {
        await prisma.user.create({ data: { ...account, updatedAt: account.createdAt } });
      } catch (error) {
        throw isUniqueViolation(error) ? userAlreadyExists() : error;
      }
    },
  };
}
