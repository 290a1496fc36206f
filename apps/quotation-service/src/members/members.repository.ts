import type { Member } from '@tenantry/service/events';
import { statement, type Rows, type Transaction } from '../database.ts';

/** The e-mail address of a member. */
export interface MemberAddress {
  readonly email: string;
  /** Whether the address is confirmed. */
  readonly isProven: boolean;
}

const keepMember = statement({
  name: 'member-keep',
  text: `
    INSERT INTO members (organization_id, user_id, email, email_verified, role, created_at) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (organization_id, user_id) DO UPDATE SET email = excluded.email,
      email_verified = excluded.email_verified, role = excluded.role, created_at = excluded.created_at`,
});

const forgetMember = statement({
  name: 'member-forget',
  text: 'DELETE FROM members WHERE organization_id = $1 AND user_id = $2',
});

const address = 'email, coalesce(email_verified, true) AS "isProven"';

const findMember = statement({
  name: 'member-find',
  text: `SELECT ${address} FROM members WHERE organization_id = $1 AND user_id = $2`,
});

const addressOfMember = statement({
  name: 'member-address',
  text: `
    (SELECT ${address}, 0 AS turn FROM members WHERE organization_id = $1 AND $2::uuid IS NOT NULL AND user_id = $2)
    UNION ALL
    (SELECT ${address}, 1 FROM members WHERE organization_id = $1 AND role = 'owner' ORDER BY created_at, user_id LIMIT 1)
    ORDER BY turn LIMIT 1`,
});

/** The members of an organization. They are written only by events of auth-service. */
export class MembersRepository {
  async keep(tx: Transaction, { userId, email, emailVerified, role, createdAt }: Member): Promise<void> {
    tx.send(keepMember, [userId, email, emailVerified ?? null, role, createdAt]);
  }

  async forget(tx: Transaction, userId: string): Promise<void> {
    tx.send(forgetMember, [userId]);
  }

  async find(rows: Rows, userId: string): Promise<MemberAddress | undefined> {
    const [found] = await rows.query(findMember, [userId]);
    return found;
  }

  /** The address of a member, or of the first owner if the member has left or none is named. */
  async addressOf(rows: Rows, userId: string | null): Promise<MemberAddress | undefined> {
    const [found] = await rows.query(addressOfMember, [userId]);
    return found;
  }
}
