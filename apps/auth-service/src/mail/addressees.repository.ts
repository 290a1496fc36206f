import { unscopedStatement } from '@tenantry/tenancy';
import type { Transaction, Unscoped } from '../database.ts';

/** An account as what is mailed to it needs it. */
export interface Addressee {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** Whether the address is confirmed. */
  readonly verified: boolean;
  readonly createdAt: Date;
}

/** Whose an address is. It is asked before anyone is known, so it has no scope. */
export interface AddresseesRepository {
  /** The account of an address, unless it is disabled. */
  findByEmail(rows: Unscoped, email: string): Promise<Addressee | undefined>;
  /** The account, marked as changed: its sign-ins wait for the transaction. Undefined when it is disabled. */
  lockForUpdate(
    tx: Transaction,
    account: { readonly userId: string; readonly at: Date },
  ): Promise<Addressee | undefined>;
  /** Marks the address as confirmed: something mailed there has come back. @returns whether it was not before */
  confirm(tx: Transaction, account: { readonly userId: string; readonly at: Date }): Promise<boolean>;
}

const columns = `id AS "userId", email, name, email_verified_at IS NOT NULL AS verified, created_at AS "createdAt"`;

const accountByEmail = unscopedStatement<Addressee, [email: string]>({
  name: 'addressee-by-email',
  text: `SELECT ${columns} FROM users WHERE email = $1 AND disabled_at IS NULL`,
});

const lockAccount = unscopedStatement<Addressee, [userId: string, at: Date]>({
  name: 'addressee-lock',
  text: `UPDATE users SET updated_at = $2 WHERE id = $1 AND disabled_at IS NULL RETURNING ${columns}`,
});

const confirmAddress = unscopedStatement<{ id: string }, [userId: string, at: Date]>({
  name: 'addressee-confirm',
  text: 'UPDATE users SET email_verified_at = $2 WHERE id = $1 AND email_verified_at IS NULL RETURNING id',
});

/** Addressees in PostgreSQL. */
export function createAddresseesRepository(): AddresseesRepository {
  return {
    async findByEmail(rows, email) {
      const [account] = await rows.query(accountByEmail, [email]);
      return account;
    },
    async lockForUpdate(tx, { userId, at }) {
      const [account] = await tx.query(lockAccount, [userId, at]);
      return account;
    },
    confirm: async (tx, { userId, at }) => (await tx.query(confirmAddress, [userId, at])).length > 0,
  };
}
