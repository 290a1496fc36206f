import { isUniqueViolation } from '@tenantry/service-kit';
import { unscopedStatement } from '@tenantry/tenancy';
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

const insertAccount = unscopedStatement<
  never,
  [id: string, email: string, name: string, emailVerifiedAt: Date | null, createdAt: Date]
>({
  name: 'account-insert',
  text: `
    INSERT INTO users (id, email, name, email_verified_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $5)`,
});

/** Accounts in PostgreSQL. */
export function createAccountsRepository(): AccountsRepository {
  return {
    async insert(tx, { id, email, name, emailVerifiedAt, createdAt }) {
      try {
        await tx.query(insertAccount, [id, email, name, emailVerifiedAt, createdAt]);
      } catch (error) {
        throw isUniqueViolation(error) ? userAlreadyExists() : error;
      }
    },
  };
}
