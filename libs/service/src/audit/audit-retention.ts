import type { PrismaNamespace } from '@tenantry/tenancy';
import { statement } from '../statements.ts';
import { dailySweep, type Chores } from '../work/housekeeping.ts';

/** The kind of due work that deletes entries; a trigger of sql/audit.sql schedules it. */
const retentionKind = 'audit-retention';
const batchSize = 1_000;

/** Whether the models of a service's client include the table of sql/audit.sql. */
export const keepsAuditTrail = ({ ModelName }: PrismaNamespace): boolean => 'AuditEvent' in ModelName;

// Ids are in order of time, so the primary key finds the oldest. A policy protects entries younger than 30 days.
const sweepEvents = statement({
  name: 'audit-sweep',
  text: `
    DELETE FROM audit_events WHERE organization_id = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM audit_events
      WHERE organization_id = $1 AND id < (SELECT uuidv7(make_interval(days => -greatest($2::int, 30))))
      ORDER BY id LIMIT ${batchSize}))
    RETURNING 1 AS swept`,
});

/**
 * Deletes entries of the audit trail that are older than the service keeps them: each organization's once a day.
 *
 * @param retentionDays at least 30; 0 keeps entries for ever.
 */
export function auditChores(retentionDays: number): Chores {
  if (retentionDays === 0) return {};
  return {
    [retentionKind]: dailySweep(
      batchSize,
      async (tenant) => (await tenant.query(sweepEvents, [retentionDays])).length,
    ),
  };
}
