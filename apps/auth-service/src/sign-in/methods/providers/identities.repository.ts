import { isUniqueViolation } from '@tenantry/service/failures';
import {
  statement,
  unscopedStatement,
  type Rows,
  type Unscoped,
  type UserTransaction,
} from '../../../database.ts';
import type { Statements } from '../../../statements.types.ts';

/** An account at a provider that signs a user in; its address is as the provider said it. */
export type Identity = Statements['identities-list']['row'];

/** An identity about to be linked. */
interface NewIdentity extends Omit<Identity, 'createdAt' | 'lastUsedAt'> {
  readonly key: Buffer;
  readonly at: Date;
  readonly addedOn: string | null;
}

const columns =
  'id, provider, issuer, subject, email, created_at AS "createdAt", last_used_at AS "lastUsedAt"';

const userByKey = unscopedStatement({
  name: 'identity-user-by-key',
  text: 'SELECT user_id AS "userId" FROM identity_keys WHERE key = $1',
});

const insertKey = unscopedStatement({
  name: 'identity-key-insert',
  text: 'INSERT INTO identity_keys (key, user_id) VALUES ($1, $2)',
});

const insertIdentity = statement({
  name: 'identity-insert',
  owner: 'user',
  text: `
    INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at, added_on)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
});

const listIdentities = statement({
  name: 'identities-list',
  times: 'text',
  owner: 'user',
  text: `SELECT ${columns} FROM identities WHERE user_id = $1 ORDER BY created_at, id`,
});

const useIdentity = statement({
  name: 'identity-use',
  owner: 'user',
  text: `
    UPDATE identities SET last_used_at = $5, email = coalesce($4, email)
    WHERE user_id = $1 AND issuer = $2 AND subject = $3 RETURNING id`,
});

const removeIdentity = statement({
  name: 'identity-remove',
  times: 'text',
  owner: 'user',
  text: `DELETE FROM identities WHERE user_id = $1 AND id = $2 RETURNING ${columns}`,
});

const removeKey = unscopedStatement({
  name: 'identity-key-remove',
  text: 'DELETE FROM identity_keys WHERE key = $1',
});

const removeIdentities = statement({
  name: 'identities-remove-all',
  owner: 'user',
  text: `
    DELETE FROM identities WHERE user_id = $1 AND ($2::text IS NULL OR added_on IS DISTINCT FROM $2)
    RETURNING issuer, subject`,
});

const removeKeys = unscopedStatement({
  name: 'identity-keys-remove-all',
  text: 'DELETE FROM identity_keys WHERE user_id = $1',
});

/** Identities in PostgreSQL: rows of their user, and a mapping from each to its user. */
export class IdentitiesRepository {
  async findUser(rows: Unscoped, key: Buffer): Promise<string | undefined> {
    return (await rows.query(userByKey, [key]))[0]?.userId;
  }

  list(rows: Rows): Promise<Identity[]> {
    return rows.query(listIdentities, []);
  }

  /** @returns false if another user has it by now, which ends the transaction */
  async insert(tx: UserTransaction, { key, at, addedOn, ...identity }: NewIdentity): Promise<boolean> {
    const { id, provider, issuer, subject, email } = identity;
    try {
      await tx.query(insertKey, [key, tx.scope.userId]);
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    await tx.query(insertIdentity, [id, provider, issuer, subject, email, at, addedOn]);
    return true;
  }

  /** Records a use. @returns whether it is still the user's */
  async use(
    tx: UserTransaction,
    { issuer, subject, email, at }: Pick<NewIdentity, 'issuer' | 'subject' | 'email' | 'at'>,
  ): Promise<boolean> {
    return (await tx.query(useIdentity, [issuer, subject, email, at])).length > 0;
  }

  async remove(tx: UserTransaction, id: string): Promise<Identity | undefined> {
    return (await tx.query(removeIdentity, [id]))[0];
  }

  async removeKey(tx: UserTransaction, key: Buffer): Promise<void> {
    await tx.query(removeKey, [key]);
  }

  /** Those of all identities of the transaction's user. */
  async removeKeys(tx: UserTransaction): Promise<void> {
    await tx.query(removeKeys, [tx.scope.userId]);
  }

  /** All except what the device with the mark `but` has linked; their keys are still to be removed. */
  async removeAll(tx: UserTransaction, but: string | null): Promise<Pick<Identity, 'issuer' | 'subject'>[]> {
    return tx.query(removeIdentities, [but]);
  }
}
