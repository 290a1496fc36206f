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

const ownOrganizations = statement({
  name: 'account-organizations',
  owner: 'user',
  text: 'SELECT organization_id AS "organizationId" FROM members WHERE user_id = $1 ORDER BY organization_id',
});

// A domain that is suspended may come back.
const noteLeftDomain = statement({
  name: 'account-note-left-domain',
  text: `
    UPDATE members m SET left_domain = true FROM users u JOIN domains d ON d.domain = substring(u.email FROM '[^@]*$')
    WHERE m.organization_id = $1 AND m.user_id = $2 AND u.id = $2
      AND d.organization_id = $1 AND d.verified_at IS NOT NULL AND d.domain <> $3`,
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
   * member whom its organization speaks for, and becomes no guest, also while the domain is suspended.
   */
  async change(
    tx: UserTransaction,
    { userId: id, email, at }: { userId: string; email: string; at: Date },
  ): Promise<boolean> {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    for (const organization of await tx.query(ownOrganizations, [])) {
      await tx.within({ ...organization, userId: id }, (inner) => inner.query(noteLeftDomain, [id, domain]));
    }
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
