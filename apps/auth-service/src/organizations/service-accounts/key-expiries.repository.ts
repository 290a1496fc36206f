import { statement, unscopedStatement, type Transaction, type Unscoped } from '../../database.ts';

// Under row-level security not even maintenance reads the keys of all organizations: a function names those that have some.
const organizations = unscopedStatement({
  name: 'key-expiries-organizations',
  text: 'SELECT app.organizations_with_ending_keys() AS id',
});

/** How long before its end the owners are told of a key: as app.organizations_with_ending_keys() has it. */
export const announcedDays = 14;

const takeEnding = statement({
  name: 'key-expiries-take',
  times: 'text',
  text: `
    WITH ending AS (
      UPDATE api_keys SET announced_at = statement_timestamp()
      WHERE organization_id = $1 AND announced_at IS NULL
        AND expires_at < statement_timestamp() + INTERVAL '${announcedDays} days'
      RETURNING id, name, ending, created_by, expires_at)
    SELECT CASE WHEN u.email_verified_at IS NOT NULL THEN e.name END AS name, e.ending, e.expires_at AS "expiresAt",
      o.name AS "organizationName"
    FROM ending e JOIN organizations o ON o.id = $1 LEFT JOIN users u ON u.id = e.created_by
    ORDER BY e.expires_at, e.id`,
});

/** Finds keys whose owners are to be told that they expire. */
export class KeyExpiriesRepository {
  /** Some organizations that have such keys. */
  async organizations(rows: Unscoped): Promise<string[]> {
    const found = await rows.query(organizations, []);
    return found.flatMap(({ id }) => id ?? []);
  }

  /**
   * The keys of the scope's organization, which count as announced from now on: soonest first. A name is null where its maker has
   * not confirmed their address, and after an erasure.
   */
  take(tx: Transaction) {
    return tx.query(takeEnding, []);
  }
}
