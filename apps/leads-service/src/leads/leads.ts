import type { Page, PageRequest } from '@tenantry/service/business';
import { retryOnContention } from '@tenantry/service/failures';
import { changesNothing, type Precondition } from '@tenantry/service/resources';
import { daySeconds, type ScheduleWork } from '@tenantry/service/work';
import type { Context, Rows, Tenant, Transaction } from '../database.ts';
import { purgeKind } from './deleted-leads.ts';
import type { LeadErasureRepository } from './lead-erasure.repository.ts';
import type { LeadHistoryRepository, LeadMove } from './lead-history.repository.ts';
import {
  auditTarget,
  type Lead,
  type LeadAudit,
  type LeadChanges,
  type LeadListQuery,
  type ListedLead,
  type NewLead,
} from './lead.ts';
import type { LeadMoves } from './lead-status.ts';
import { leadChanged, leadNotFound } from './leads.errors.ts';
import type { FoundLead, LeadRepository } from './leads.repository.ts';

/** The lead to change, and the accepted versions of it. */
export interface Target {
  readonly id: string;
  readonly accepts: Precondition;
}

export interface LeadsOptions {
  readonly repository: LeadRepository;
  readonly erasure: LeadErasureRepository;
  readonly scheduleWork: ScheduleWork;
  readonly history: LeadHistoryRepository;
  /** The moves that leads of the organization may make. */
  readonly movesOf: (rows: Rows) => Promise<LeadMoves>;
  readonly audit: LeadAudit;
}

/** The written lead, and the earliest other live one with its e-mail address. */
export interface WrittenLead {
  readonly lead: Lead;
  readonly duplicateOf: string | null;
}

/** The use cases of leads. */
export class Leads {
  readonly #options: LeadsOptions;

  constructor(options: LeadsOptions) {
    this.#options = options;
  }

  /** A lead, and how leads of the organization may move. */
  async get(tenant: Tenant, id: string): Promise<{ lead: Lead; moves: LeadMoves }> {
    const found = await this.#options.repository.find(tenant, id);
    if (!found) throw leadNotFound();
    return found;
  }

  /** The moves that leads of the organization may make. */
  moves(rows: Rows): Promise<LeadMoves> {
    return this.#options.movesOf(rows);
  }

  /** One page, with the exact total. */
  list(tenant: Tenant, query: LeadListQuery): Promise<Page<ListedLead>> {
    return this.#options.repository.list(tenant, query);
  }

  /** Records a lead, and names an earlier live one with the same e-mail address. */
  create(
    { tenant, actor }: Context,
    { name, ...lead }: NewLead,
  ): Promise<{ id: string; duplicateOf: string | null }> {
    const { repository, history, audit } = this.#options;
    return tenant.transaction(async (tx) => {
      const created = await repository.insert(tx, { name, ...lead });
      const { id } = created;
      await history.record(tx, { leadId: id, from: null, to: 'new', actor });
      await audit.record(tx, { actor, action: 'lead.created', target: auditTarget({ id, name }) });
      return created;
    });
  }

  /** Changes a lead; its status changes only as its organization allows. */
  change({ tenant, actor }: Context, target: Target, changes: LeadChanges): Promise<WrittenLead> {
    return this.#withLocked(tenant, target, async (tx, { lead }) => {
      if (changes.status !== undefined) {
        const moves = await this.#options.movesOf(tx);
        moves.require(lead.status, changes.status);
      }
      const changed = changesNothing(lead, changes)
        ? lead
        : await this.#update(tx, { before: lead, changes, actor });
      const duplicateOf =
        changes.email === undefined ? null : await this.#options.repository.duplicateOf(tx, changed);
      return { lead: changed, duplicateOf };
    });
  }

  /** Marks a lead as deleted: only the list of deleted leads still shows it. */
  remove({ tenant, actor }: Context, target: Target): Promise<void> {
    const { repository, audit, scheduleWork } = this.#options;
    return this.#withLocked(tenant, target, async (tx, { lead }) => {
      await repository.markDeleted(tx, lead);
      await audit.record(tx, { actor, action: 'lead.deleted', target: auditTarget(lead) });
      const { organizationId } = tenant.scope;
      await scheduleWork(tx, { kind: purgeKind, id: organizationId, afterSeconds: daySeconds });
    });
  }

  /** Deletes a lead for good, live or removed, with its history. */
  erase({ tenant, actor }: Context, target: Target): Promise<void> {
    const { repository, erasure, audit } = this.#options;
    return this.#withLocked(
      tenant,
      { ...target, mayBeDeleted: true },
      async (tx, { lead: { id, ...lead }, isDeleted }) => {
        if (!isDeleted) await repository.markDeleted(tx, { id, ...lead });
        await erasure.erase(tx, id);
        await audit.forgetTarget(tx, id);
        await audit.record(tx, { actor, action: 'lead.erased', target: { type: 'lead', id } });
      },
    );
  }

  /** Restores a deleted lead; has no effect on a live one. */
  restore({ tenant, actor }: Context, target: Target): Promise<WrittenLead> {
    const { repository, audit } = this.#options;
    return this.#withLocked(tenant, { ...target, mayBeDeleted: true }, async (tx, found) => {
      const lead = found.isDeleted ? await repository.restore(tx, found.lead) : found.lead;
      if (found.isDeleted) {
        await audit.record(tx, { actor, action: 'lead.restored', target: auditTarget(lead) });
      }
      return { lead, duplicateOf: await repository.duplicateOf(tx, lead) };
    });
  }

  /** The moves of a lead from status to status, newest first. */
  async history(tenant: Tenant, id: string, query: PageRequest): Promise<Page<LeadMove>> {
    await this.get(tenant, id);
    return this.#options.history.page(tenant, id, query);
  }

  /** Runs `work` on a locked lead. */
  #withLocked<Result>(
    tenant: Tenant,
    { id, accepts, mayBeDeleted = false }: Target & { readonly mayBeDeleted?: boolean },
    work: (tx: Transaction, found: FoundLead) => Promise<Result>,
  ): Promise<Result> {
    return retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const found = await this.#options.repository.findForUpdate(tx, id);
        if (!found || (found.isDeleted && !mayBeDeleted)) throw leadNotFound();
        if (!accepts(found.lead.version)) throw leadChanged();
        return work(tx, found);
      }),
    );
  }

  async #update(tx: Transaction, { before, changes, actor }: Update): Promise<Lead> {
    const { repository, history, audit } = this.#options;
    const after = await repository.update(tx, { ...before, ...changes });
    const { id, status: from } = before;
    const { status: to } = after;
    if (from !== to) await history.record(tx, { leadId: id, from, to, actor });
    const target = auditTarget(after);
    await audit.recordChange(tx, { actor, action: 'lead.updated', target, before, after });
    return after;
  }
}

/** A change of a lead that is locked. */
interface Update {
  readonly before: Lead;
  readonly changes: LeadChanges;
  readonly actor: Context['actor'];
}
