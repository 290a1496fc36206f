import type { Tenant, Transaction } from '../database.ts';
import type { Lead, LeadFilters, LeadOrder, NewLead } from './lead.ts';

/** Which leads, and in which order. */
export interface LeadBatchQuery extends LeadFilters {
  readonly sort: LeadOrder;
}

/** Reads all leads of a query, whole, in batches of one moment. */
export type ReadLeadBatches = (tenant: Tenant, query: LeadBatchQuery) => AsyncGenerator<Lead[]>;

/** Records many leads at once, each with its first move. */
export type InsertLeads = (tx: Transaction, leads: readonly NewLead[], actorUserId: string) => Promise<void>;
