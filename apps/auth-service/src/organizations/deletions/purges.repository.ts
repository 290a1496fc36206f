import {
  statement,
  unscopedStatement,
  type Transaction,
  type Unscoped,
  type UserTransaction,
} from '../../database.ts';

const purgeBatch = 1_000;

const loneOfUser = statement({
  name: 'deletions-lone-of-user',
  owner: 'user',
  text: `SELECT organization_id AS "organizationId" FROM former_members WHERE user_id = $1 ORDER BY organization_id`,
});
const hasOthers = statement({
  name: 'deletion-has-others',
  text: `SELECT user_id AS id FROM former_members WHERE organization_id = $1 AND user_id <> $2 LIMIT 1`,
});
const abandon = unscopedStatement({
  name: 'deletion-abandon',
  text: `
    UPDATE deleted_organizations SET organization = NULL, logo_media_type = NULL, logo = NULL,
      purge_at = greatest(least(purge_at, $2), deleted_at)
    WHERE id = $1`,
});

const nextUnsettled = unscopedStatement({
  name: 'deletions-next-unsettled',
  text: `
    SELECT id FROM deleted_organizations
    WHERE NOT is_settled AND deleted_at < statement_timestamp() - INTERVAL '1 minute' ORDER BY deleted_at LIMIT 1`,
});
const nextDue = unscopedStatement({
  name: 'deletions-next-due',
  text: `
    SELECT id FROM deleted_organizations WHERE is_settled AND purge_at <= statement_timestamp()
    ORDER BY purge_at LIMIT 1`,
});
const purgeAudit = statement({
  name: 'deletion-purge-audit',
  text: `
    DELETE FROM audit_events WHERE organization_id = $1 AND id = ANY(ARRAY(
      SELECT id FROM audit_events WHERE organization_id = $1 ORDER BY id LIMIT ${purgeBatch}))
    RETURNING 1 AS one`,
});
const forgetMaker = unscopedStatement({
  name: 'deletion-forget-maker',
  text: 'UPDATE users SET created_by_organization_id = NULL WHERE created_by_organization_id = $1',
});

/** Purges deleted organizations. */
export class PurgesRepository {
  /** In the scope of a user: the deleted organizations without other members. */
  async listLoneOfUser(tx: UserTransaction): Promise<string[]> {
    const { userId } = tx.scope;
    const lone: string[] = [];
    for (const { organizationId } of await tx.query(loneOfUser, [])) {
      const others = await tx.within({ organizationId }, (inner) => inner.query(hasOthers, [userId]));
      if (others.length === 0) lone.push(organizationId);
    }
    return lone;
  }

  /** Makes it impossible to restore, and schedules its purge. */
  async abandon(tx: Transaction, organizationId: string, at: Date): Promise<void> {
    await tx.query(abandon, [organizationId, at]);
  }

  /** One with members that have been waiting to be moved for a while. */
  async nextUnsettled(rows: Unscoped): Promise<string | undefined> {
    return (await rows.query(nextUnsettled, []))[0]?.id;
  }

  /** One that is to be purged. */
  async nextDue(rows: Unscoped): Promise<string | undefined> {
    return (await rows.query(nextDue, []))[0]?.id;
  }

  /** Deletes a batch of its audit trail. @returns whether there may be more */
  async purgeAudit(tx: Transaction): Promise<boolean> {
    return (await tx.query(purgeAudit, [])).length === purgeBatch;
  }

  /** Deletes what accounts say of the organization that created them. */
  async forgetMaker(tx: Transaction, organizationId: string): Promise<void> {
    await tx.query(forgetMaker, [organizationId]);
  }
}
