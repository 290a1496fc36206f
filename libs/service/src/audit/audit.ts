import type { Page, TenantRows, TenantTransaction } from '@tenantry/tenancy';
import { changedFields } from '../resources/changes.ts';
import { changeDetails, type KeptFields } from '../resources/kept-values.ts';
import { scheduleWork } from '../work/due-work.ts';
import type { AuditChange, AuditEntry, AuditEvent, AuditQuery } from './audit-entry.ts';
import { namesAfterSeconds as afterSeconds, namesKind } from './audit-names.ts';
import { AuditRepository } from './audit.repository.ts';

/** What a trail records. */
export interface AuditOptions<Action extends string> {
  readonly actions: readonly Action[];
  /** The fields whose changes are recorded; default: none. */
  readonly fields?: readonly string[];
  /** Those whose values are kept as well; default: none. */
  readonly kept?: KeptFields;
}

/**
 * The audit trail of a service, on the table of sql/audit.sql: who did what to which row, and when.
 *
 * @example
 * const audit = new Audit({ actions: ['lead.created', 'lead.updated'], fields: ['name', 'vatRate'], kept: { vatRate: 'number' } });
 * await audit.record(tx, { actor, action: 'lead.created', target: { type: 'lead', id, name } });
 */
export class Audit<const Action extends string = string> {
  /** All recorded actions. */
  readonly actions: readonly Action[];
  /** All fields that entries of changes name. */
  readonly fields: readonly string[];
  /** Those of them whose values they keep. */
  readonly kept: KeptFields;
  readonly #repository = new AuditRepository();

  constructor({ actions, fields = [], kept = {} }: AuditOptions<Action>) {
    this.actions = actions;
    this.fields = fields;
    this.kept = kept;
  }

  /**
   * Adds an entry in the transaction of what it records: neither exists without the other. It is sent with the next statement.
   */
  async record(tx: TenantTransaction, entry: AuditEntry<Action>): Promise<void> {
    this.#repository.insert(tx, entry);
  }

  /**
   * Adds an entry with those fields of the trail that the change has changed, and the values that it keeps; no entry if there are
   * none.
   */
  async recordChange<Subject extends object>(
    tx: TenantTransaction,
    change: AuditChange<Action, Subject>,
  ): Promise<void> {
    const { before, after, details, ...entry } = change;
    const changed: ReadonlySet<unknown> = new Set(changedFields(before, after));
    const fields = this.fields.filter((field) => changed.has(field));
    if (fields.length === 0) return;
    const said = changeDetails(fields, { kept: this.kept, before, after });
    this.#repository.insert(tx, { ...entry, details: { ...details, ...said } });
  }

  /** Removes the name of an erased row from all of its entries. */
  async forgetTarget(tx: TenantTransaction, targetId: string): Promise<void> {
    this.#repository.forgetTarget(tx, targetId);
  }

  /** Removes the name of an erased user from all of their entries, once their tokens have expired. */
  async erase(tx: TenantTransaction, userId: string): Promise<void> {
    await scheduleWork(tx, { kind: namesKind, id: userId, afterSeconds });
  }

  /** One page, newest first, and how many entries there are in all. */
  list(rows: TenantRows, query: AuditQuery): Promise<Page<AuditEvent>> {
    return this.#repository.page(rows, query);
  }
}
