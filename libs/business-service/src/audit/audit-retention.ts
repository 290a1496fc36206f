import type { PrismaNamespace, TenantRows } from '@tenantry/tenancy';
import { daySeconds, type Chores } from '../housekeeping.ts';
import { statement } from '../statements.ts';

/** The kind of due work that deletes entries; a trigger of sql/audit.sql schedules it. */
const retentionKind = 'audit-retention';
const batchSize = 1_000;
/** Maximum batches in one run, so that it ends long before it times out. */
const batchesMax = 20;

/** Whether the models of a service's client include the table of sql/audit.sql. */
export const keepsAuditTrail = ({ ModelName }: PrismaNamespace): boolean => 'AuditEvent' in ModelName;

/**
 * Deletes entries of the audit trail that are older than the service keeps them: each organization's once a day.
 *
 * @param retentionDays at least 30; 0 keeps entries for ever.
 */
export function auditChores(retentionDays: number): Chores {
  if (retentionDays === 0) return {};
  const sweep = createSweep();
  return {
    [retentionKind]: {
      async work(_item, { tenant, signal }) {
        for (let batches = 0; batches < batchesMax && !signal.aborted; batches += 1) {
          if ((await sweep(tenant, retentionDays)) < batchSize) return { againAfterSeconds: daySeconds };
        }
        return { againAfterSeconds: 0 };
      },
    },
  };
}

/** Deletes a batch of an organization's oldest entries, and returns how many. */
function createSweep(): (rows: TenantRows<unknown>, retentionDays: number) => Promise<number> {
  // Ids are in order of time, so the primary key finds the oldest. A policy protects entries younger than 30 days.
  const sweep = statement({
    name: 'audit-sweep',
    text: `
      DELETE FROM audit_events WHERE organization_id = $1 AND ctid = ANY (ARRAY(
        SELECT ctid FROM audit_events
        WHERE organization_id = $1 AND id < (SELECT uuidv7(make_interval(days => -greatest($2::int, 30))))
        ORDER BY id LIMIT ${batchSize}))
      RETURNING 1 AS swept`,
  });
  return async (rows, retentionDays) => (await rows.query(sweep, [retentionDays])).length;
}
