import type { Tenant, Transaction } from '../database.ts';
import type { Lead, LeadFilters, LeadOrder, NewLead } from './lead.ts';

/** Which leads, and in which order. */
export interface LeadBatchQuery extends LeadFilters {
  readonly sort: LeadOrder;
}

/** Reads all leads of a query with all fields, in batches of one snapshot. */
export type ReadLeadBatches = (tenant: Tenant, query: LeadBatchQuery) => AsyncGenerator<Lead[]>;

/** Creates many leads in one statement, each with its first status. */
export type InsertLeads = (tx: Transaction, leads: readonly NewLead[], actorUserId: string) => Promise<void>;
