import type { PrismaNamespace, TenantRows } from '@tenantry/tenancy';
import { daySeconds, type Chores } from '../housekeeping.ts';
import { statement } from '../statements.ts';

/** The kind of due work that deletes entries; a trigger of sql/audit.sql writes it down. */
const retentionKind = 'audit-retention';
const batchSize = 1_000;
/** Batches of one piece of work, which ends long before it times out. */
const batchesMax = 20;

/** Whether a service has the table of sql/audit.sql, by the models of its client. */
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

/** Deletes a batch of the oldest entries of an organization, and says how many they were. */
function createSweep(): (rows: TenantRows<unknown>, retentionDays: number) => Promise<number> {
  // Ids are in the order of time, so that the primary key finds the oldest. A policy keeps what is younger than 30 days.
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
