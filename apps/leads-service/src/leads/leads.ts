import type { Lead, LeadChanges, LeadListQuery, LeadPage, NewLead } from './lead.ts';
import { mayMove } from './lead-status.ts';
import { invalidTransition, leadChanged, leadNotFound } from './leads.errors.ts';
import type { LeadRepository } from './leads.repository.ts';

/** Whether the caller accepts the version that a change would be made on. */
export type Precondition = (version: number) => boolean;

/** One page of the organization's leads, with the exact total. */
export async function listLeads(leads: LeadRepository, query: LeadListQuery): Promise<LeadPage> {
  return leads.list(query);
}

/** One lead. */
export async function getLead(leads: LeadRepository, id: string): Promise<Lead> {
  const lead = await leads.find(id);
  if (!lead) throw leadNotFound();
  return lead;
}

/** Records a lead, and names an earlier live one with the same e-mail address. */
export async function createLead(
  leads: LeadRepository,
  lead: NewLead,
): Promise<{ id: string; duplicateOf: string | null }> {
  return leads.create(lead);
}

/** Changes a lead; its status moves along the transition table alone. */
export async function changeLead(
  leads: LeadRepository,
  { id, changes, accepts }: { id: string; changes: LeadChanges; accepts: Precondition },
): Promise<Lead> {
  return leads.transaction(async (locked) => {
    const lead = await locked.find(id);
    if (!lead) throw leadNotFound();
    if (!accepts(lead.version)) throw leadChanged();
    if (changes.status !== undefined && !mayMove(lead.status, changes.status)) {
      throw invalidTransition(lead.status, changes.status);
    }
    return locked.save(lead, changes);
  });
}

/** Removes a lead from every list; its row is kept. */
export async function deleteLead(
  leads: LeadRepository,
  { id, accepts, now }: { id: string; accepts: Precondition; now: Date },
): Promise<void> {
  await leads.transaction(async (locked) => {
    const lead = await locked.find(id);
    if (!lead) throw leadNotFound();
    if (!accepts(lead.version)) throw leadChanged();
    await locked.markDeleted(lead, now);
  });
}
