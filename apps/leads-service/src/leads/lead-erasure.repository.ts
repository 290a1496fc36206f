import { models, statement, type Rows, type Transaction } from '../database.ts';

export const purgeBatch = 500;

const purgeLeads = statement({
  name: 'leads-purge',
  text: `
    WITH old AS MATERIALIZED (
      SELECT id FROM leads
      WHERE organization_id = $1 AND deleted_at < (SELECT clock_timestamp() - make_interval(days => $2))
      ORDER BY deleted_at, id LIMIT ${purgeBatch} FOR UPDATE SKIP LOCKED
    ), names AS (
      UPDATE audit_events SET target_name = NULL
      WHERE organization_id = $1 AND target_id = ANY (ARRAY(SELECT id FROM old)) AND target_name IS NOT NULL
    ), moves AS (
      DELETE FROM lead_status_changes WHERE organization_id = $1 AND lead_id = ANY (ARRAY(SELECT id FROM old))
    )
    DELETE FROM leads WHERE organization_id = $1 AND id = ANY (ARRAY(SELECT id FROM old)) RETURNING id`,
});

/** Deletes leads permanently that were marked as deleted before. */
export class LeadErasureRepository {
  /** Deletes one, its history, and the stored responses of idempotent requests about it. */
  async erase(tx: Transaction, id: string): Promise<void> {
    await models(tx).leadStatusChange.deleteMany({ where: { leadId: id } });
    await models(tx).lead.deleteMany({ where: { id, deletedAt: { not: null } } });
    // The stored response of a creation contains only ids; without it, a repeated request would create the lead again.
    await models(tx).idempotencyKey.deleteMany({ where: { status: { not: 201 }, body: { contains: id } } });
  }

  /** Deletes a batch of those that were deleted so many days ago, and forgets their names. @returns how many they were */
  async purge(rows: Rows, days: number): Promise<number> {
    return (await rows.query(purgeLeads, [days])).length;
  }
}
