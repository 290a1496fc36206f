import { isUniqueViolation } from '@tenantry/service/failures';
import {
  models,
  statement,
  unscopedStatement,
  type Transaction,
  type Unscoped,
  type UserTransaction,
} from '../database.ts';
import type { User } from '../ground/index.ts';
import type { Locale } from '../mail/index.ts';
import { userAlreadyExists } from './accounts.errors.ts';

/** An account about to be created. */
export interface NewAccount extends User, Locale {
  readonly createdAt: Date;
  readonly emailVerifiedAt: Date | null;
  /** Signing in requires a confirmed address. */
  readonly awaitsConfirmation: boolean;
  /** Mark of the client that signed up. */
  readonly createdOn: string;
}

const lockAddress = unscopedStatement({
  name: 'account-lock-address',
  text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
});

const leftDomain = unscopedStatement({
  name: 'account-left-domain',
  text: `
    SELECT d.organization AS "organizationId" FROM users u JOIN domain_keys d ON d.domain = substring(u.email FROM '[^@]*$')
    WHERE u.id = $1 AND d.domain <> $2`,
});

const noteLeftDomain = statement({
  name: 'account-note-left-domain',
  text: 'UPDATE members SET left_domain = true WHERE organization_id = $1 AND user_id = $2',
});

/** Stores accounts. */
export class AccountsRepository {
  /** Makes every other sign-up of the address wait for the transaction. */
  async lockAddress(tx: Transaction, email: string): Promise<void> {
    await tx.query(lockAddress, [email]);
  }

  /** Whether an address has an account that a sign-up cannot replace. */
  async isSettled(tx: Transaction, email: string): Promise<boolean> {
    const awaiting = { awaitsConfirmation: true, emailVerifiedAt: null };
    return (await models(tx).user.count({ where: { email, NOT: awaiting } })) > 0;
  }

  /** @throws USER_ALREADY_EXISTS */
  async insert(tx: Transaction, account: NewAccount): Promise<void> {
    try {
      await models(tx).user.create({ data: { ...account, updatedAt: account.createdAt } });
    } catch (error) {
      throw isUniqueViolation(error) ? userAlreadyExists() : error;
    }
  }

  /** Whether any account, disabled ones included, has the address. */
  async isTaken(rows: Unscoped, email: string): Promise<boolean> {
    return (await models(rows).user.count({ where: { email } })) > 0;
  }

  /**
   * Changes the address of the scope's user, as confirmed; false if another account has taken it. Whoever leaves a domain so stays a
   * member whom its organization speaks for, and becomes no guest.
   */
  async change(
    tx: UserTransaction,
    { userId: id, email, at }: { userId: string; email: string; at: Date },
  ): Promise<boolean> {
    const [left] = await tx.query(leftDomain, [id, email.slice(email.lastIndexOf('@') + 1)]);
    if (left) await tx.within({ ...left, userId: id }, (inner) => inner.query(noteLeftDomain, [id]));
    try {
      await models(tx).user.updateMany({
        where: { id },
        data: { email, emailVerifiedAt: at, updatedAt: at },
      });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }
}
