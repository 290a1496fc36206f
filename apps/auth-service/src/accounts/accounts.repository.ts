import { isUniqueViolation } from '@tenantry/service-kit';
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

const insertAccount = unscopedStatement({
  name: 'account-insert',
  text: `
    INSERT INTO users (
      id, email, name, email_verified_at, created_at, updated_at, awaits_confirmation, language, time_zone)
    VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8)`,
});

const settledAddress = unscopedStatement({
  name: 'account-settled-address',
  text: 'SELECT id FROM users WHERE email = $1 AND NOT (awaits_confirmation AND email_verified_at IS NULL)',
});

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

    isSettled: async (tx, email) => (await tx.query(settledAddress, [email])).length > 0,

    async insert(tx, account) {
      const { id, email, name, emailVerifiedAt, createdAt, awaitsConfirmation, language, timeZone } = account;
      const proof = [emailVerifiedAt, createdAt, awaitsConfirmation] as const;
      try {
        await tx.query(insertAccount, [id, email, name, ...proof, language, timeZone]);
      } catch (error) {
        throw isUniqueViolation(error) ? userAlreadyExists() : error;
      }
    },
  };
}
