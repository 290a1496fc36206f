import { isUniqueViolation } from '@tenantry/service/failures';
import { statement, type Rows, type Transaction } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/** The member whom somebody at the IdP signs in. */
export type KnownMember = Statements['connection-member-by-subject']['row'];

/** The account of an address, and how it stands to the organization and the connection. */
export type AddressedAccount = Statements['connection-account-by-email']['row'];

/** Somebody at the IdP. */
interface Subject {
  readonly connectionId: string;
  readonly subject: string;
}

/** An identity about to be linked. */
interface NewIdentity extends Subject {
  readonly userId: string;
  readonly isOwn: boolean;
  readonly at: Date;
}

const memberBySubject = statement({
  name: 'connection-member-by-subject',
  text: `
    SELECT i.user_id AS "userId", i.is_own AS "isOwn", m.role, u.disabled_at IS NOT NULL AS disabled
    FROM connection_identities i
    JOIN members m ON m.organization_id = i.organization_id AND m.user_id = i.user_id
    JOIN users u ON u.id = i.user_id
    WHERE i.organization_id = $1 AND i.connection_id = $2 AND i.subject = $3`,
});

const accountByEmail = statement({
  name: 'connection-account-by-email',
  text: `
    SELECT u.id AS "userId", u.name, u.email, u.disabled_at IS NOT NULL AS disabled,
      u.email_verified_at IS NOT NULL AS verified, u.awaits_confirmation AS awaits,
      coalesce(u.created_by_organization_id = $1, false) AS made, m.role, EXISTS (
        SELECT FROM connection_identities i
        WHERE i.organization_id = $1 AND i.connection_id = $2 AND i.user_id = u.id) AS linked, EXISTS (
        SELECT FROM removed_members r WHERE r.organization_id = $1 AND r.user_id = u.id) AS removed
    FROM users u LEFT JOIN members m ON m.organization_id = $1 AND m.user_id = u.id
    WHERE u.email = $3`,
});

const insertIdentity = statement({
  name: 'connection-identity-insert',
  text: `
    INSERT INTO connection_identities (organization_id, connection_id, subject, user_id, is_own, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (organization_id, connection_id, subject) DO UPDATE SET is_own = connection_identities.is_own OR excluded.is_own
    WHERE connection_identities.user_id = excluded.user_id RETURNING user_id AS "userId"`,
});

const useIdentity = statement({
  name: 'connection-identity-use',
  text: `
    UPDATE connection_identities SET last_used_at = $4
    WHERE organization_id = $1 AND connection_id = $2 AND subject = $3`,
});

const removeIdentity = statement({
  name: 'connection-identity-remove',
  text: `
    DELETE FROM connection_identities
    WHERE organization_id = $1 AND connection_id = $2 AND user_id = $3 RETURNING subject`,
});

const removeIdentities = statement({
  name: 'connection-identities-remove',
  text: 'DELETE FROM connection_identities WHERE organization_id = $1 AND connection_id = $2',
});

/** Stores who at an IdP is which member; the organization is that of the scope. */
export class PeopleRepository {
  async findBySubject(rows: Rows, { connectionId, subject }: Subject): Promise<KnownMember | undefined> {
    return (await rows.query(memberBySubject, [connectionId, subject]))[0];
  }

  async findByEmail(
    rows: Rows,
    { connectionId, email }: { readonly connectionId: string; readonly email: string },
  ): Promise<AddressedAccount | undefined> {
    return (await rows.query(accountByEmail, [connectionId, email]))[0];
  }

  /** @returns false where the subject or the member is linked to another one, which may end the transaction */
  async link(tx: Transaction, { connectionId, subject, userId, isOwn, at }: NewIdentity): Promise<boolean> {
    try {
      return (await tx.query(insertIdentity, [connectionId, subject, userId, isOwn, at])).length > 0;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async use(tx: Transaction, { connectionId, subject }: Subject, at: Date): Promise<void> {
    await tx.query(useIdentity, [connectionId, subject, at]);
  }

  /** @returns whether the member had one */
  async unlink(
    tx: Transaction,
    { connectionId, userId }: { readonly connectionId: string; readonly userId: string },
  ): Promise<boolean> {
    return (await tx.query(removeIdentity, [connectionId, userId])).length > 0;
  }

  async unlinkAll(tx: Transaction, connectionId: string): Promise<void> {
    await tx.query(removeIdentities, [connectionId]);
  }
}
