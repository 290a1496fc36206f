import type { TenantRows, TenantTransaction } from '@tenantry/tenancy';
import { createAuditRepository } from './audit.repository.ts';
import type { AuditEntry, AuditPage, AuditQuery } from './audit-entry.ts';

/** The audit trail of a service: who did what to which row, and when. */
export interface Audit<Action extends string = string> {
  /** The names of everything that is recorded. */
  readonly actions: readonly Action[];
  /**
   * Adds an entry in the transaction of what it records: neither exists without the other. It is sent with whatever comes
   * next.
   */
  record(tx: TenantTransaction<unknown>, entry: AuditEntry<Action>): Promise<void>;
  list(rows: TenantRows<unknown>, query: AuditQuery): Promise<AuditPage>;
}

/**
 * Makes the audit trail of a service, on the table of sql/audit.sql.
 *
 * @example
 * const audit = createAudit(['lead.created', 'lead.deleted']);
 * await audit.record(tx, { actorUserId, action: 'lead.deleted', target: { type: 'lead', id } });
 */
export function createAudit<const Action extends string>(actions: readonly Action[]): Audit<Action> {
  const repository = createAuditRepository();
  return {
    actions,
    async record(tx, entry) {
      repository.insert(tx, entry);
    },
    list: (rows, query) => repository.page(rows, query),
  };
}
