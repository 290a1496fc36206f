import type { Standing } from '@tenantry/contracts';
import { pageOf } from '@tenantry/tenancy';
import { statement, unscopedStatement, type Transaction, type Unscoped } from '../../database.ts';
import type { PageQuery } from '../../ground/index.ts';
import type { Statements } from '../../statements.types.ts';

/**
 * An organization that was deleted, until it is purged; its name and slug are null if it cannot be restored, because no owner is
 * left. From `purgeAt` on its data is deleted, in every service.
 */
type DeletedOrganization = Statements['deletion-lock']['row'];

/** When an organization was deleted, by whom, and when it is purged. */
interface Deletion {
  readonly organizationId: string;
  readonly deletedBy: string;
  readonly at: Date;
  readonly purgeAt: Date;
}

const lockUsers = statement({
  name: 'deletion-lock-users',
  text: `
    SELECT u.id FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 ORDER BY u.id LIMIT $2 FOR NO KEY UPDATE OF u`,
});

// Connections and domains do not come back, so single sign-on is not required then.
const keepOrganization = statement({
  name: 'deletion-keep',
  text: `
    INSERT INTO deleted_organizations (id, organization, deleted_by, deleted_at, purge_at)
    SELECT o.id, to_jsonb(o) || jsonb_build_object('require_sso', false, 'removed_members', ARRAY(
      SELECT r.user_id FROM removed_members r WHERE r.organization_id = $1)), $2, $3, $4
    FROM organizations AS o WHERE o.id = $1`,
});
const keepLogo = statement({
  name: 'deletion-keep-logo',
  text: `
    UPDATE deleted_organizations d SET logo_media_type = l.media_type, logo = l.content
    FROM organization_logos l WHERE l.organization_id = $1 AND d.id = $1`,
});
const keepMembers = statement({
  name: 'deletion-keep-members',
  text: `
    WITH gone AS (DELETE FROM members WHERE organization_id = $1 RETURNING user_id, role, created_at)
    INSERT INTO former_members (organization_id, user_id, role, created_at, was_disabled)
    SELECT $1, g.user_id, g.role, g.created_at, u.disabled_by_organization_id IS NOT DISTINCT FROM $1
    FROM gone g JOIN users u ON u.id = g.user_id`,
});
const noteDeletion = unscopedStatement({
  name: 'deletion-note',
  text: `
    INSERT INTO deleted_organizations (id, deleted_by, deleted_at, purge_at, is_settled) VALUES ($1, $2, $3, $4, true)`,
});

const unsettled = statement({
  name: 'deletion-unsettled',
  text: `
    SELECT user_id AS "userId" FROM former_members
    WHERE organization_id = $1 AND NOT is_settled ORDER BY user_id LIMIT $2`,
});
const markSettled = statement({
  name: 'deletion-mark-settled',
  text: `UPDATE former_members SET is_settled = true WHERE organization_id = $1 AND user_id = ANY($2::uuid[])`,
});
const endSettling = unscopedStatement({
  name: 'deletion-end-settling',
  text: 'UPDATE deleted_organizations SET is_settled = true WHERE id = $1',
});

const columns = `id, organization ->> 'name' AS name, organization ->> 'slug' AS slug, deleted_by AS "deletedBy",
  deleted_at AS "deletedAt", purge_at AS "purgeAt"`;

const standingOf = unscopedStatement({
  name: 'deletion-standing',
  times: 'text',
  text: `
    SELECT EXISTS (SELECT FROM organizations WHERE id = $1) AS "isLive",
      (SELECT purge_at FROM deleted_organizations WHERE id = $1) AS "purgeAt"`,
});

// An empty page still has a row with the total.
const page = unscopedStatement({
  name: 'deletions-page',
  times: 'text',
  text: `
    SELECT page.*, counted.total FROM (SELECT count(*)::int AS total FROM deleted_organizations) AS counted
    LEFT JOIN LATERAL (
      SELECT ${columns} FROM deleted_organizations ORDER BY purge_at, id LIMIT $1 OFFSET $2) AS page ON true
    ORDER BY page."purgeAt", page.id`,
});

const lockDeleted = unscopedStatement({
  name: 'deletion-lock',
  text: `SELECT ${columns} FROM deleted_organizations WHERE id = $1 FOR UPDATE`,
});
const forget = unscopedStatement({
  name: 'deletion-forget',
  text: 'DELETE FROM deleted_organizations WHERE id = $1',
});

/** Stores deleted organizations. The organization, or the user, is that of the scope. */
export class DeletionsRepository {
  /** Locks the accounts of some members, in the order in which users are locked. */
  async lockUsers(tx: Transaction, limit: number): Promise<void> {
    await tx.query(lockUsers, [limit]);
  }

  /** Takes an organization and its members out of the lists of live ones, and keeps both, with the ids of members removed before. */
  async keep(tx: Transaction, { deletedBy, at, purgeAt }: Omit<Deletion, 'organizationId'>): Promise<void> {
    await tx.query(keepOrganization, [deletedBy, at, purgeAt]);
    await tx.query(keepLogo, []);
    await tx.query(keepMembers, []);
  }

  /** Records that it is to be purged, without the means to restore it. */
  async note(tx: Transaction, { organizationId, deletedBy, at, purgeAt }: Deletion): Promise<void> {
    await tx.query(noteDeletion, [organizationId, deletedBy, at, purgeAt]);
  }

  /** Former members whose sessions are still in the organization, lowest id first. */
  async listUnsettled(tx: Transaction, limit: number): Promise<string[]> {
    return (await tx.query(unsettled, [limit])).map(({ userId }) => userId);
  }

  async markSettled(tx: Transaction, userIds: readonly string[]): Promise<void> {
    await tx.query(markSettled, [userIds]);
  }

  async endSettling(tx: Transaction, organizationId: string): Promise<void> {
    await tx.query(endSettling, [organizationId]);
  }

  async standing(rows: Unscoped, organizationId: string): Promise<Standing> {
    const [found] = await rows.query(standingOf, [organizationId]);
    if (found?.isLive) return { organizationId, state: 'live' };
    const { purgeAt } = found ?? {};
    return purgeAt ? { organizationId, state: 'deleted', purgeAt } : { organizationId, state: 'gone' };
  }

  async list(rows: Unscoped, { page: number, pageSize }: PageQuery) {
    return pageOf(await rows.query(page, [pageSize, (number - 1) * pageSize]));
  }

  /** Locks it. */
  async lock(tx: Transaction, organizationId: string): Promise<DeletedOrganization | undefined> {
    return (await tx.query(lockDeleted, [organizationId]))[0];
  }

  /** Deletes what is kept of it. */
  async forget(tx: Transaction, organizationId: string): Promise<void> {
    await tx.query(forget, [organizationId]);
  }
}
