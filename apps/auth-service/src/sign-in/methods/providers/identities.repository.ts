import { isUniqueViolation } from '@tenantry/service-kit/failures';
import {
  statement,
  unscopedStatement,
  type Rows,
  type Transaction,
  type Unscoped,
} from '../../../database.ts';
import type { Statements } from '../../../statements.types.ts';

/** An account at a provider that signs a user in; its address is as the provider said it. */
export type Identity = Statements['identities-list']['row'];

/** An identity about to be linked. */
interface NewIdentity extends Omit<Identity, 'createdAt' | 'lastUsedAt'> {
  readonly key: Buffer;
  readonly at: Date;
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
    INSERT INTO identities (user_id, id, provider, issuer, subject, email, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
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

const forgetIdentities = statement({
  name: 'identities-forget',
  owner: 'user',
  text: 'DELETE FROM identities WHERE user_id = $1',
});

const forgetKeys = unscopedStatement({
  name: 'identity-keys-forget',
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
  async insert(tx: Transaction, { key, at, ...identity }: NewIdentity): Promise<boolean> {
    const { id, provider, issuer, subject, email } = identity;
    try {
      await tx.query(insertKey, [key, tx.scope.userId ?? '']);
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    await tx.query(insertIdentity, [id, provider, issuer, subject, email, at]);
    return true;
  }

  /** Records a use. @returns whether it is still the user's */
  async use(
    tx: Transaction,
    { issuer, subject, email, at }: Pick<NewIdentity, 'issuer' | 'subject' | 'email' | 'at'>,
  ): Promise<boolean> {
    return (await tx.query(useIdentity, [issuer, subject, email, at])).length > 0;
  }

  async remove(tx: Transaction, id: string): Promise<Identity | undefined> {
    return (await tx.query(removeIdentity, [id]))[0];
  }

  async removeKey(tx: Transaction, key: Buffer): Promise<void> {
    await tx.query(removeKey, [key]);
  }

  async forgetAll(tx: Transaction): Promise<void> {
    await tx.query(forgetIdentities, []);
    await tx.query(forgetKeys, [tx.scope.userId ?? '']);
  }
}
