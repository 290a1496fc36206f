import { models, statement, type Rows, type Transaction } from '../../database.ts';
import type { Statements } from '../../statements.types.ts';

/**
 * Whether an organization requires single sign-on, what it is called, the connection that is on, and when an owner last came in by
 * it with the settings that it has now.
 */
export type StoredRequirement = Statements['sso-requirement']['row'];

/** Members who would not get in: how many, and the first of them by name. */
export interface LockedOut {
  readonly total: number;
  readonly names: string[];
}

/** Names of people who are concerned. */
const namesMax = 10;

const requirement = statement({
  name: 'sso-requirement',
  text: `
    SELECT o.require_sso AS required, o.name AS "organizationName", k.id AS "connectionId", (
        SELECT max(i.last_used_at) FROM connection_identities i JOIN connections c
          ON c.organization_id = i.organization_id AND c.id = i.connection_id
        WHERE i.organization_id = $1 AND i.connection_id = k.id AND NOT ($2::uuid IS NULL) AND i.user_id = $2 AND i.is_own
          AND i.last_used_at >= greatest(k.enabled_at, c.updated_at)) AS "triedAt"
    FROM organizations o LEFT JOIN connection_keys k ON k.organization = o.id
    WHERE o.id = $1`,
});

// Whoever has come in by it once knows the way.
const lockedOut = statement({
  name: 'sso-requirement-locked-out',
  text: `
    SELECT u.name, count(*) OVER ()::int AS total
    FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.role <> 'owner' AND u.disabled_at IS NULL
      AND (m.left_domain OR EXISTS (
        SELECT FROM domain_keys d WHERE d.organization = $1 AND d.domain = substring(u.email FROM '[^@]*$')))
      AND NOT EXISTS (
        SELECT FROM connection_identities i JOIN connection_keys k ON k.organization = i.organization_id AND k.id = i.connection_id
        WHERE i.organization_id = $1 AND i.user_id = m.user_id AND i.last_used_at IS NOT NULL)
    ORDER BY m.created_at, m.user_id LIMIT ${namesMax}`,
});

/** Stores whether an organization requires single sign-on; it is that of the scope. */
export class SsoRequirementRepository {
  /** @param userId whose sign-ins count as trials; null for nobody's */
  async find(rows: Rows, userId: string | null): Promise<StoredRequirement | undefined> {
    return (await rows.query(requirement, [userId]))[0];
  }

  async lockedOut(rows: Rows): Promise<LockedOut> {
    const found = await rows.query(lockedOut, []);
    return { total: found[0]?.total ?? 0, names: found.map(({ name }) => name) };
  }

  async set(
    tx: Transaction,
    {
      organizationId: id,
      required: requireSso,
      at: updatedAt,
    }: { organizationId: string; required: boolean; at: Date },
  ): Promise<void> {
    await models(tx).organization.updateMany({ where: { id }, data: { requireSso, updatedAt } });
  }
}
