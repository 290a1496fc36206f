import { isUniqueViolation } from '@tenantry/service/failures';
import { statement, unscopedStatement, type Transaction } from '../../database.ts';
import { slugTaken } from '../organizations.errors.ts';

const formerOwner = statement({
  name: 'deletion-former-owner',
  text: `SELECT user_id AS id FROM former_members WHERE organization_id = $1 AND role = 'owner' AND NOT was_disabled LIMIT 1`,
});
const restore = unscopedStatement({
  name: 'deletion-restore',
  text: 'SELECT app.restore_organization($1, $2) AS restored',
});
const restoreLogo = statement({
  name: 'deletion-restore-logo',
  text: `
    INSERT INTO organization_logos (organization_id, media_type, content)
    SELECT $1, logo_media_type, logo FROM deleted_organizations WHERE id = $1 AND logo IS NOT NULL`,
});
const lockFormerMembers = statement({
  name: 'deletion-lock-former-members',
  text: `
    SELECT u.id FROM former_members f JOIN users u ON u.id = f.user_id
    WHERE f.organization_id = $1 ORDER BY u.id FOR NO KEY UPDATE OF u`,
});
// Tokens of the former membership may still be refused: new ones must be issued later than those.
const restoreMembers = statement({
  name: 'deletion-restore-members',
  text: `
    INSERT INTO members (organization_id, user_id, role, tokens_from, created_at, updated_at)
    SELECT $1::uuid, f.user_id, f.role,
      (SELECT max(issued_before) FROM revocations WHERE organization = $1 AND (sub = f.user_id OR sub IS NULL)),
      f.created_at, $2
    FROM former_members f WHERE f.organization_id = $1 AND NOT f.was_disabled
    RETURNING user_id AS id`,
});
// Nor do they come back by their address, as those do not whom the organization had removed before.
const noteAbsent = statement({
  name: 'deletion-note-absent',
  text: `
    INSERT INTO removed_members (organization_id, user_id, removed_at)
    SELECT $1::uuid, u.id, $2::timestamptz FROM users u WHERE u.id IN (
      SELECT user_id FROM former_members WHERE organization_id = $1 AND was_disabled
      UNION SELECT removed::uuid FROM deleted_organizations d, jsonb_array_elements_text(d.organization -> 'removed_members') AS removed
      WHERE d.id = $1)`,
});

const lostMembers = statement({
  name: 'deletion-lost-members',
  text: `
    SELECT f.user_id AS id FROM former_members f WHERE f.organization_id = $1
      AND NOT EXISTS (SELECT FROM members m WHERE m.organization_id = $1 AND m.user_id = f.user_id)`,
});

/** Restores a deleted organization, in its scope, without members that it had disabled. */
export class RestoresRepository {
  async hasFormerOwner(tx: Transaction): Promise<boolean> {
    return (await tx.query(formerOwner, [])).length > 0;
  }

  /** @throws SLUG_TAKEN */
  async restore(tx: Transaction, organizationId: string, slug: string | undefined): Promise<void> {
    try {
      await tx.query(restore, [organizationId, slug ?? null]);
    } catch (error) {
      throw isUniqueViolation(error) ? slugTaken() : error;
    }
    await tx.query(restoreLogo, []);
  }

  async restoreMembers(tx: Transaction, at: Date): Promise<number> {
    await tx.query(lockFormerMembers, []);
    await tx.query(noteAbsent, [at]);
    return (await tx.query(restoreMembers, [at])).length;
  }

  /** Former members who do not come back. */
  async lostMembers(tx: Transaction): Promise<string[]> {
    return (await tx.query(lostMembers, [])).map(({ id }) => id);
  }
}
