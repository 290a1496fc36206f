import { createDueWork, type Worker } from '@tenantry/outbox';
import type { Logger } from '@tenantry/service-kit';
import { statement, type PrismaNamespace, type TenantDatabase, type TenantRows } from '@tenantry/tenancy';
import type { BackgroundWork } from '../background.ts';

/** What the end of entries is made with. */
export interface AuditRetentionOptions {
  readonly database: TenantDatabase<unknown>;
  readonly logger: Logger;
  /** Days after which an entry is deleted, at least 30; 0 keeps entries for ever. */
  readonly retentionDays: number;
}

/** The kind of due work that deletes entries; a trigger of sql/audit.sql writes it down. */
const retentionKind = 'audit-retention';
const daySeconds = 24 * 60 * 60;
const batchSize = 1_000;
/** Batches of one piece of work, which ends long before its time is over. */
const batchesMax = 20;

/** Whether a service has the table of sql/audit.sql, by the models of its client. */
export const keepsAuditTrail = ({ ModelName }: PrismaNamespace): boolean => 'AuditEvent' in ModelName;

/** Deletes entries of the audit trail that are older than the service keeps them: each organization's once a day. */
export function createAuditRetention(options: AuditRetentionOptions): BackgroundWork {
  const { database, logger, retentionDays } = options;
  let worker: Worker | undefined;
  return {
    start() {
      if (retentionDays === 0) return;
      const sweep = createSweep();
      worker = createDueWork({
        database,
        logger,
        pollSeconds: 60,
        attemptsMax: Number.MAX_SAFE_INTEGER,
        kinds: {
          [retentionKind]: {
            async work(_item, { tenant, signal }) {
              for (let batches = 0; batches < batchesMax && !signal.aborted; batches += 1) {
                if ((await sweep(tenant, retentionDays)) < batchSize)
                  return { againAfterSeconds: daySeconds };
              }
              return { againAfterSeconds: 0 };
            },
          },
        },
      });
      worker.start();
    },
    async close() {
      await worker?.close();
    },
  };
}

/** Deletes a batch of the oldest entries of an organization, and says how many they were. */
function createSweep(): (rows: TenantRows<unknown>, retentionDays: number) => Promise<number> {
  // Ids are in the order of time, so that the primary key finds the oldest. A policy keeps what is younger than 30 days.
  const sweep = statement<{ swept: number }, [retentionDays: number]>({
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
