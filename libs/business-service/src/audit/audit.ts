import { createScheduleWork } from '@tenantry/outbox';
import { changedFields } from '@tenantry/service-kit/resources';
import type { TenantRows, TenantTransaction } from '@tenantry/tenancy';
import type { AuditChange, AuditEntry, AuditPage, AuditQuery } from './audit-entry.ts';
import { namesAfterSeconds as afterSeconds, namesKind } from './audit-names.ts';
import { createAuditRepository } from './audit.repository.ts';

/** The audit trail of a service: who did what to which row, and when. */
export interface Audit<Action extends string = string> {
  /** The names of everything that is recorded. */
  readonly actions: readonly Action[];
  /**
   * Adds an entry in the transaction of what it records: neither exists without the other. It is sent with whatever comes
   * next.
   */
  record(tx: TenantTransaction<unknown>, entry: AuditEntry<Action>): Promise<void>;
  /** Adds an entry with the names of the fields that changed; none where nothing did. */
  recordChange<Subject extends object>(
    tx: TenantTransaction<unknown>,
    change: AuditChange<Action, Subject>,
  ): Promise<void>;
  /** Forgets what a row was called, in all of its entries: for its erasure. */
  forgetTarget(tx: TenantTransaction<unknown>, targetId: string): Promise<void>;
  /** What an event reader asks when a user was erased. */
  readonly people: {
    /** Has the name of a user forgotten, in all of their entries, once their tokens have ended everywhere. */
    erase(tx: TenantTransaction<unknown>, userId: string): Promise<void>;
  };
  list(rows: TenantRows<unknown>, query: AuditQuery): Promise<AuditPage>;
}

/**
 * Makes the audit trail of a service, on the table of sql/audit.sql.
 *
 * @example
 * const audit = createAudit(['lead.created', 'lead.deleted']);
 * await audit.record(tx, { actor, action: 'lead.deleted', target: { type: 'lead', id, name } });
 */
export function createAudit<const Action extends string>(actions: readonly Action[]): Audit<Action> {
  const repository = createAuditRepository();
  const scheduleWork = createScheduleWork();
  return {
    actions,
    async record(tx, entry) {
      repository.insert(tx, entry);
    },
    async recordChange(tx, { before, after, fields: compared, shown, details, ...entry }) {
      const fields = changedFields(before, after, compared);
      if (fields.length === 0) return;
      const values = shown && fields.includes(shown) && { from: before[shown], to: after[shown] };
      repository.insert(tx, { ...entry, details: { ...details, fields, ...values } });
    },
    async forgetTarget(tx, targetId) {
      repository.forgetTarget(tx, targetId);
    },
    people: { erase: (tx, userId) => scheduleWork(tx, { kind: namesKind, id: userId, afterSeconds }) },
    list: (rows, query) => repository.page(rows, query),
  };
}
