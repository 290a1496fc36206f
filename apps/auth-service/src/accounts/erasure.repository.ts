import { models, statement, type Transaction } from '../database.ts';
import type { Statements } from '../statements.types.ts';

/**
 * A user's membership in an organization, and its members, counted up to two. Of other owners, those count who can act: the
 * account of one who is disabled cannot.
 */
type Tie = Statements['erasure-tie']['row'];

// The column alias gives the key its usual name.
const lockUser = statement({
  name: 'erasure-lock-user',
  owner: 'user',
  text: 'SELECT u.user_id AS id FROM users AS u (user_id) WHERE u.user_id = $1 FOR UPDATE',
});

const tieTo = statement({
  name: 'erasure-tie',
  text: `
    SELECT m.role, o.name,
      EXISTS (
        SELECT FROM members other JOIN users u ON u.id = other.user_id
        WHERE other.organization_id = $1 AND other.role = 'owner' AND other.user_id <> $2 AND u.disabled_at IS NULL
      ) AS "otherOwners",
      (SELECT count(*)::int FROM (SELECT FROM members WHERE organization_id = $1 LIMIT 2) AS few) AS members
    FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.organization_id = $1 AND m.user_id = $2`,
});

const forgetArrivals = statement({
  name: 'erasure-forget-arrivals',
  text: 'UPDATE arrivals SET address = NULL WHERE organization_id = $1 AND address = $2',
});

/** Reads and deletes the data of a user to be erased, that of the transaction's scope. */
export class ErasureRepository {
  /** Locks the user against other changes. @returns whether the user exists */
  async lockUser(tx: Transaction): Promise<boolean> {
    return (await tx.query(lockUser, [])).length > 0;
  }

  /** The address of an account that is locked. */
  async addressOf(tx: Transaction, userId: string): Promise<string> {
    const { email } = await models(tx).user.findFirstOrThrow({
      where: { id: userId },
      select: { email: true },
    });
    return email;
  }

  /** The account of an address that was never confirmed. */
  async findAwaiting(tx: Transaction, email: string): Promise<string | undefined> {
    const where = { email, awaitsConfirmation: true, emailVerifiedAt: null };
    return (await models(tx).user.findFirst({ where, select: { id: true } }))?.id;
  }

  /** In the scope of the organization. */
  async findTie(tx: Transaction, userId: string): Promise<Tie | undefined> {
    const [tie] = await tx.query(tieTo, [userId]);
    return tie;
  }

  /** Deletes the user with everything that belongs to the user alone. */
  // Row-level security allows deleting only the user of the scope.
  async remove(tx: Transaction, userId: string): Promise<void> {
    await models(tx).user.deleteMany({ where: { id: userId } });
  }

  /** Removes an address from what arrived from the IdPs of the scope's organization. */
  async forgetArrivals(tx: Transaction, address: string): Promise<void> {
    await tx.query(forgetArrivals, [address]);
  }
}
