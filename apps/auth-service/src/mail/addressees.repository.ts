import { models, unscopedStatement, type Transaction, type Unscoped } from '../database.ts';
import { recordUserUpdated } from '../events/index.ts';
import type { Statements } from '../statements.types.ts';
import type { Locale } from './letter.ts';
import { emailNotVerified } from './mail.errors.ts';

/**
 * An account, as far as letters to it need it; whether its address is confirmed, as `verified`, and the organization that has
 * disabled it, as `disabledBy`.
 */
export type Addressee = Statements['addressee-by-email']['row'];

const columns = `id AS "userId", email, name, email_verified_at IS NOT NULL AS verified, created_at AS "createdAt",
  created_on AS "createdOn", disabled_by_organization_id AS "disabledBy"`;

// An organization may disable an account that has an address of somebody else: whoever has the mailbox is still written to.
const reachable = `(disabled_at IS NULL OR (disabled_by_organization_id IS NOT NULL AND email_verified_at IS NULL))`;

const accountByEmail = unscopedStatement({
  name: 'addressee-by-email',
  text: `SELECT ${columns} FROM users WHERE email = $1 AND ${reachable}`,
});

const lockAccount = unscopedStatement({
  name: 'addressee-lock',
  text: `UPDATE users SET updated_at = $2 WHERE id = $1 AND ${reachable} RETURNING ${columns}`,
});

const holdAccount = unscopedStatement({
  name: 'addressee-hold',
  text: `SELECT id FROM users WHERE id = $1 AND email = $2 AND ${reachable} FOR KEY SHARE`,
});

const provenAddress = unscopedStatement({
  name: 'addressee-proven',
  text: 'SELECT id FROM users WHERE email = $1 AND email_verified_at IS NOT NULL',
});

const provenAccount = unscopedStatement({
  name: 'addressee-proven-account',
  text: 'SELECT id FROM users WHERE id = $1 AND email_verified_at IS NOT NULL',
});

const unclaimedAccount = unscopedStatement({
  name: 'addressee-unclaimed-account',
  text: `
    SELECT id FROM users
    WHERE id = $1 AND email_verified_at IS NULL AND created_by_organization_id IS NOT NULL`,
});

const confirmAddress = unscopedStatement({
  name: 'addressee-confirm',
  text: `
    UPDATE users SET email_verified_at = $2, awaits_confirmation = false, created_on = NULL
    WHERE id = $1 AND email_verified_at IS NULL RETURNING id`,
});

/** Finds the account of an address. This happens before the user is known, so it has no scope. */
export class AddresseesRepository {
  /** The account of an address, unless it is disabled; an organization disables only those that have confirmed theirs. */
  async findByEmail(rows: Unscoped, email: string): Promise<Addressee | undefined> {
    const [account] = await rows.query(accountByEmail, [email]);
    return account;
  }

  /** The address of an account. */
  async findEmail(rows: Unscoped, userId: string): Promise<string | undefined> {
    const account = await models(rows).user.findFirst({ where: { id: userId }, select: { email: true } });
    return account?.email;
  }

  /** How the holder of an account wants to be written to; undefined if there is no such account. */
  async findReader(
    rows: Unscoped,
    where: { readonly email: string } | { readonly id: string },
  ): Promise<Locale | undefined> {
    const select = { language: true, timeZone: true };
    return (await models(rows).user.findFirst({ where, select })) ?? undefined;
  }

  /** The account, locked and marked as changed: its sign-ins wait for the transaction. Undefined if it is disabled. */
  async lockForUpdate(
    tx: Transaction,
    { userId, at }: { readonly userId: string; readonly at: Date },
  ): Promise<Addressee | undefined> {
    const [account] = await tx.query(lockAccount, [userId, at]);
    return account;
  }

  /** Keeps an account of the address from being erased meanwhile. @returns whether it exists and is enabled */
  async hold(tx: Transaction, { userId, email }: Pick<Addressee, 'userId' | 'email'>): Promise<boolean> {
    return (await tx.query(holdAccount, [userId, email])).length > 0;
  }

  /** Whether an address is that of an account, which has confirmed it. */
  async isProven(rows: Unscoped, email: string): Promise<boolean> {
    return (await rows.query(provenAddress, [email])).length > 0;
  }

  /** Whether an account has confirmed its address. */
  async hasProven(rows: Unscoped, userId: string): Promise<boolean> {
    return (await rows.query(provenAccount, [userId])).length > 0;
  }

  /** Whether an organization made the account, and the owner of its mailbox has not shown themselves yet. */
  async isUnclaimed(rows: Unscoped, userId: string): Promise<boolean> {
    return (await rows.query(unclaimedAccount, [userId])).length > 0;
  }

  /** @throws EMAIL_NOT_VERIFIED while the account has not confirmed its address. */
  async requireProven(rows: Unscoped, userId: string): Promise<void> {
    if (!(await this.hasProven(rows, userId))) throw emailNotVerified();
  }

  /**
   * Marks the address as confirmed, in a transaction of the user: a token mailed there was used. Publishes the change.
   *
   * @returns whether it was not before
   */
  async confirm(
    tx: Transaction,
    { userId, at }: { readonly userId: string; readonly at: Date },
  ): Promise<boolean> {
    const isFirst = (await tx.query(confirmAddress, [userId, at])).length > 0;
    if (isFirst) await recordUserUpdated(tx);
    return isFirst;
  }
}
