import { isUniqueViolation } from '@tenantry/service-kit';
import type { Transaction } from '../database.ts';
import type { User } from '../ground/index.ts';
import { userAlreadyExists } from './accounts.errors.ts';

/** An account about to be created. */
export interface NewAccount extends User {
  readonly createdAt: Date;
  readonly emailVerifiedAt: Date | null;
}

/** Where accounts are kept. */
export interface AccountsRepository {
  /** @throws USER_ALREADY_EXISTS */
  insert(tx: Transaction, account: NewAccount): Promise<void>;
}

/** Accounts in PostgreSQL. */
export function createAccountsRepository(): AccountsRepository {
  return {
    async insert({ prisma }, { createdAt, ...account }) {
      try {
        await prisma.user.create({ data: { ...account, createdAt, updatedAt: createdAt } });
      } catch (error) {
        throw isUniqueViolation(error) ? userAlreadyExists() : error;
      }
    },
  };
}
