import type { Tenant } from '../database.ts';
import type { Lead, LeadChanges, LeadListQuery, LeadPage, NewLead } from './lead.ts';
import { mayMove } from './lead-status.ts';
import { invalidTransition, leadChanged, leadNotFound } from './leads.errors.ts';
import type { LeadRepository } from './leads.repository.ts';

/** Whether the caller accepts the version that a change would be made on. */
export type Precondition = (version: number) => boolean;

/** What can be done with the leads of an organization. */
export interface Leads {
  /** One page, with the exact total. */
  list(tenant: Tenant, query: LeadListQuery): Promise<LeadPage>;
  get(tenant: Tenant, id: string): Promise<Lead>;
  /** Records a lead, and names an earlier live one with the same e-mail address. */
  create(tenant: Tenant, lead: NewLead): Promise<{ id: string; duplicateOf: string | null }>;
  /** Changes a lead; its status moves along the transition table alone. */
  change(tenant: Tenant, change: { id: string; changes: LeadChanges; accepts: Precondition }): Promise<Lead>;
  /** Removes a lead from every list; its row is kept. */
  remove(tenant: Tenant, removal: { id: string; accepts: Precondition; now: Date }): Promise<void>;
}

/** Makes the use cases of leads. */
export function createLeads(repository: LeadRepository): Leads {
  return {
    list: (tenant, query) => repository.list(tenant, query),

    async get(tenant, id) {
      const lead = await repository.find(tenant, id);
      if (!lead) throw leadNotFound();
      return lead;
    },

    create: (tenant, lead) => repository.insert(tenant, lead),

    change: (tenant, { id, changes, accepts }) =>
      tenant.transaction(async (tx) => {
        const lead = await repository.findForUpdate(tx, id);
        if (!lead) throw leadNotFound();
        if (!accepts(lead.version)) throw leadChanged();
        if (changes.status !== undefined && !mayMove(lead.status, changes.status)) {
          throw invalidTransition(lead.status, changes.status);
        }
        return repository.update(tx, { ...lead, ...changes });
      }),

    remove: (tenant, { id, accepts, now }) =>
      tenant.transaction(async (tx) => {
        const lead = await repository.findForUpdate(tx, id);
        if (!lead) throw leadNotFound();
        if (!accepts(lead.version)) throw leadChanged();
        await repository.markDeleted(tx, lead, now);
      }),
  };
}
