import type { Role } from '@tenantry/jwt-verify';
import { statement, unscopedStatement } from '@tenantry/tenancy';
import type { Transaction } from '../database.ts';

/** A user's place in one organization, and who else is there. */
export interface Tie {
  readonly role: Role;
  readonly name: string;
  /** Counted to two. */
  readonly owners: number;
  /** Counted to two. */
  readonly members: number;
}

/** What erasing a user reads and deletes; the user is the one of the transaction's scope. */
export interface ErasureRepository {
  /** Makes every other change of the user wait. @returns whether the user exists */
  lockUser(tx: Transaction): Promise<boolean>;
  /** In the scope of the organization. */
  findTie(tx: Transaction, userId: string): Promise<Tie | undefined>;
  /** Deletes the user with everything that belongs to the user alone. */
  remove(tx: Transaction, userId: string): Promise<void>;
}

// The column alias names the key as it is named everywhere else.
const lockUser = statement<{ id: string }>({
  name: 'erasure-lock-user',
  owner: 'user',
  text: 'SELECT u.user_id AS id FROM users AS u (user_id) WHERE u.user_id = $1 FOR UPDATE',
});

const tieTo = statement<Tie, [userId: string]>({
  name: 'erasure-tie',
  text: `
    SELECT m.role, o.name,
      (SELECT count(*)::int FROM (
        SELECT FROM members WHERE organization_id = $1 AND role = 'owner' LIMIT 2) AS few) AS owners,
      (SELECT count(*)::int FROM (SELECT FROM members WHERE organization_id = $1 LIMIT 2) AS few) AS members
    FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.organization_id = $1 AND m.user_id = $2`,
});

// Row-level security lets nobody be deleted but the user of the scope.
const removeUser = unscopedStatement<never, [userId: string]>({
  name: 'erasure-remove-user',
  text: 'DELETE FROM users WHERE id = $1',
});

/** Erasure in PostgreSQL. */
export function createErasureRepository(): ErasureRepository {
  return {
    lockUser: async (tx) => (await tx.query(lockUser, [])).length > 0,

    async findTie(tx, userId) {
      const [tie] = await tx.query(tieTo, [userId]);
      return tie;
    },

    async remove(tx, userId) {
      await tx.query(removeUser, [userId]);
    },
  };
}
