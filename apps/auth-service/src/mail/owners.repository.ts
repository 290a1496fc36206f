import { statement, type Transaction } from '../database.ts';
import type { User } from '../ground/index.ts';

/** Most owners who are written to about their organization. */
const ownersMax = 20;

// An address that is not confirmed may be a stranger's, who is told nothing about an organization.
const reachableOwners = statement({
  name: 'members-reachable-owners',
  text: `
    SELECT u.email, u.name FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.role = 'owner' AND u.disabled_at IS NULL AND u.email_verified_at IS NOT NULL
    ORDER BY m.created_at, m.user_id LIMIT ${ownersMax}`,
});

/** Finds the owners of the scope's organization. */
export class OwnersRepository {
  /** Those whose addresses are confirmed, by how long they are members: letters about the organization go to these. */
  reachable(tx: Transaction): Promise<readonly Pick<User, 'email' | 'name'>[]> {
    return tx.query(reachableOwners, []);
  }
}
