import { daySeconds, type Audit } from '@tenantry/business-service';
import type { ScheduleWork } from '@tenantry/outbox';
import { changesNothing, retryOnContention, type Precondition } from '@tenantry/service-kit';
import type { Tenant, Transaction } from '../database.ts';
import { purgeKind } from './deleted-leads.ts';
import type { LeadAction } from './lead-actions.ts';
import type { LeadErasureRepository } from './lead-erasure.repository.ts';
import type { LeadHistoryRepository } from './lead-history.repository.ts';
import type { LeadHistoryPage, LeadHistoryQuery } from './lead-history.ts';
import type { Lead, LeadChanges, LeadListQuery, LeadPage, NewLead } from './lead.ts';
import { leadStatus } from './lead-status.ts';
import { leadChanged, leadNotFound } from './leads.errors.ts';
import type { FoundLead, LeadRepository } from './leads.repository.ts';

/** Which lead is to be changed, by whom, and on which versions of it. */
export interface Target {
  readonly id: string;
  readonly actorUserId: string;
  readonly accepts: Precondition;
}

/** What the use cases need. */
export interface LeadsDependencies {
  readonly repository: LeadRepository;
  readonly erasure: LeadErasureRepository;
  readonly scheduleWork: ScheduleWork;
  readonly history: LeadHistoryRepository;
  readonly audit: Audit<LeadAction>;
}

/** A lead as it was written, and the earliest other live one with its e-mail address. */
export interface WrittenLead {
  readonly lead: Lead;
  readonly duplicateOf: string | null;
}

/** What can be done with the leads of an organization. */
export interface Leads {
  /** One page, with the exact total. */
  list(tenant: Tenant, query: LeadListQuery): Promise<LeadPage>;
  get(tenant: Tenant, id: string): Promise<Lead>;
  /** Records a lead, and names an earlier live one with the same e-mail address. */
  create(
    tenant: Tenant,
    lead: NewLead,
    actorUserId: string,
  ): Promise<{ id: string; duplicateOf: string | null }>;
  /** Changes a lead; its status moves along the transition table alone. */
  change(tenant: Tenant, target: Target, changes: LeadChanges): Promise<WrittenLead>;
  /** Removes a lead from every list but that of deleted ones. */
  remove(tenant: Tenant, target: Target): Promise<void>;
  /** Deletes a lead for good, live or removed, with its history. */
  erase(tenant: Tenant, target: Target): Promise<void>;
  /** Takes a removed lead back; one that was not removed stays as it is. */
  restore(tenant: Tenant, target: Target): Promise<WrittenLead>;
  /** The moves of a lead from status to status, newest first. */
  history(tenant: Tenant, id: string, query: LeadHistoryQuery): Promise<LeadHistoryPage>;
}

export function createLeads(dependencies: LeadsDependencies): Leads {
  const { repository, erasure, history, audit, scheduleWork } = dependencies;
  /** Runs `work` on a lead that nobody else changes meanwhile. */
  const withLocked = <Result>(
    tenant: Tenant,
    { id, accepts }: Target,
    work: (tx: Transaction, lead: Lead) => Promise<Result>,
  ): Promise<Result> =>
    retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const lead = await repository.findForUpdate(tx, id);
        if (!lead) throw leadNotFound();
        if (!accepts(lead.version)) throw leadChanged();
        return work(tx, lead);
      }),
    );

  async function update(tx: Transaction, { lead, changes, actorUserId }: Update): Promise<Lead> {
    const changed = await repository.update(tx, { ...lead, ...changes });
    const details = differences(lead, changed);
    const { status: from } = lead;
    const { status: to } = changed;
    if (from !== to) await history.record(tx, { leadId: lead.id, from, to, actorUserId });
    await audit.record(tx, { actorUserId, action: 'lead.updated', target: auditTarget(lead.id), details });
    return changed;
  }

  /** As {@link withLocked}, on one that may be removed. */
  const withAnyLocked = <Result>(
    tenant: Tenant,
    { id, accepts }: Target,
    work: (tx: Transaction, found: FoundLead) => Promise<Result>,
  ): Promise<Result> =>
    retryOnContention(() =>
      tenant.transaction(async (tx) => {
        const found = await repository.findAnyForUpdate(tx, id);
        if (!found) throw leadNotFound();
        if (!accepts(found.lead.version)) throw leadChanged();
        return work(tx, found);
      }),
    );

  const get = async (tenant: Tenant, id: string): Promise<Lead> => {
    const lead = await repository.find(tenant, id);
    if (!lead) throw leadNotFound();
    return lead;
  };

  return {
    get,
    list: (tenant, query) => repository.list(tenant, query),

    create: (tenant, lead, actorUserId) =>
      tenant.transaction(async (tx) => {
        const created = await repository.insert(tx, lead);
        await history.record(tx, { leadId: created.id, from: null, to: 'new', actorUserId });
        await audit.record(tx, { actorUserId, action: 'lead.created', target: auditTarget(created.id) });
        return created;
      }),

    change: (tenant, target, changes) =>
      withLocked(tenant, target, async (tx, lead) => {
        if (changes.status !== undefined) leadStatus.require(lead.status, changes.status);
        const changed = changesNothing(lead, changes)
          ? lead
          : await update(tx, { lead, changes, actorUserId: target.actorUserId });
        const duplicateOf = changes.email === undefined ? null : await repository.duplicateOf(tx, changed);
        return { lead: changed, duplicateOf };
      }),

    remove: (tenant, target) =>
      withLocked(tenant, target, async (tx, lead) => {
        await repository.markDeleted(tx, lead);
        const { actorUserId } = target;
        await audit.record(tx, { actorUserId, action: 'lead.deleted', target: auditTarget(lead.id) });
        const { organizationId } = tenant.scope;
        await scheduleWork(tx, { kind: purgeKind, id: organizationId, afterSeconds: daySeconds });
      }),

    erase: (tenant, target) =>
      withAnyLocked(tenant, target, async (tx, { lead, isDeleted }) => {
        if (!isDeleted) await repository.markDeleted(tx, lead);
        await erasure.erase(tx, lead.id);
        const { actorUserId } = target;
        await audit.record(tx, { actorUserId, action: 'lead.erased', target: auditTarget(lead.id) });
      }),

    restore: (tenant, target) =>
      withAnyLocked(tenant, target, async (tx, found) => {
        const { actorUserId, id } = target;
        const lead = found.isDeleted ? await repository.restore(tx, found.lead) : found.lead;
        if (found.isDeleted) {
          await audit.record(tx, { actorUserId, action: 'lead.restored', target: auditTarget(id) });
        }
        return { lead, duplicateOf: await repository.duplicateOf(tx, lead) };
      }),

    async history(tenant, id, query) {
      await get(tenant, id);
      return history.page(tenant, id, query);
    },
  };
}

/** A change of a lead that is locked. */
interface Update {
  readonly lead: Lead;
  readonly changes: LeadChanges;
  readonly actorUserId: string;
}

const auditTarget = (id: string) => ({ type: 'lead', id });

const audited = ['name', 'email', 'phone', 'source', 'notes', 'status'] as const;

/** Which fields changed. Of their values, the trail keeps the status alone: it names nobody. */
function differences(before: Lead, after: Lead): Readonly<Record<string, unknown>> {
  const fields = audited.filter((field) => before[field] !== after[field]);
  return { fields, ...(before.status !== after.status && { from: before.status, to: after.status }) };
}
