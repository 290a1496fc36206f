import type { LocatedToken } from '@tenantry/service/tokens';
import { statement, type Rows, type Transaction } from '../../database.ts';
import { defineSweepBy } from '../../ground/index.ts';

/** The single purpose of a mailed token. */
export type MailedTokenPurpose = 'password-reset' | 'email-verification' | 'email-change';

/** A presented token, and its purpose. */
export interface MailedTokenKey extends Pick<LocatedToken, 'id' | 'digest'> {
  readonly purpose: MailedTokenPurpose;
  readonly userId: string;
}

/** A token about to be mailed. */
interface NewMailedToken extends MailedTokenKey {
  readonly email: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

const live = 'user_id = $1 AND id = $2 AND purpose = $3 AND digest = $4 AND expires_at > $5';

const findToken = statement({
  name: 'mailed-token-find',
  owner: 'user',
  text: `SELECT email FROM mailed_tokens WHERE ${live}`,
});

const takeToken = statement({
  name: 'mailed-token-take',
  owner: 'user',
  text: `DELETE FROM mailed_tokens WHERE ${live} RETURNING id`,
});

const forgetExpired = statement({
  name: 'mailed-tokens-forget-expired',
  owner: 'user',
  text: 'DELETE FROM mailed_tokens WHERE user_id = $1 AND expires_at <= $2',
});

const insertToken = statement({
  name: 'mailed-token-insert',
  owner: 'user',
  text: `
    INSERT INTO mailed_tokens (user_id, id, purpose, digest, email, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
});

const removeTokens = statement({
  name: 'mailed-tokens-remove',
  owner: 'user',
  text: 'DELETE FROM mailed_tokens WHERE user_id = $1 AND purpose = ANY($2)',
});

export const sweepMailedTokens = defineSweepBy('app.sweep_mailed_tokens()');

/** Where the digests of mailed tokens are kept; the user is the one of the scope. */
export class MailedTokensRepository {
  /** Stores a new one, and deletes expired ones. */
  async insert(
    tx: Transaction,
    { id, purpose, digest, email, createdAt, expiresAt }: NewMailedToken,
  ): Promise<void> {
    await tx.query(forgetExpired, [createdAt]);
    await tx.query(insertToken, [id, purpose, digest, email, createdAt, expiresAt]);
  }

  /** The address that a live token was sent to; undefined when there is none. */
  async find(rows: Rows, key: MailedTokenKey, at: Date): Promise<{ email: string } | undefined> {
    const [row] = await rows.query(findToken, valuesOf(key, at));
    return row;
  }

  /** Consumes a live token: of several concurrent uses, one succeeds. */
  async take(tx: Transaction, key: MailedTokenKey, at: Date): Promise<boolean> {
    const taken = await tx.query(takeToken, valuesOf(key, at));
    return taken.length > 0;
  }

  /** Forgets those of the purposes. */
  async remove(tx: Transaction, purposes: readonly MailedTokenPurpose[]): Promise<void> {
    await tx.query(removeTokens, [purposes]);
  }
}

const valuesOf = ({ id, purpose, digest }: MailedTokenKey, at: Date) => [id, purpose, digest, at] as const;
