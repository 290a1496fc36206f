import type { LeadStatus } from './lead-status.ts';

/** A lead as a list shows it. Times are ISO 8601 UTC. */
export interface LeadListItem {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly status: LeadStatus;
  readonly source: string | null;
  readonly createdAt: string;
}

/** A whole lead; `version` grows with every change. */
export interface Lead extends LeadListItem {
  readonly notes: string | null;
  readonly updatedAt: string;
  readonly version: number;
}

/** What a new lead is made of; what is absent is empty. */
export interface NewLead {
  readonly name: string;
  readonly email: string;
  readonly phone?: string | null;
  readonly source?: string | null;
  readonly notes?: string | null;
}

/** What is to change: null empties an optional field, what is absent stays. */
export interface LeadChanges extends Partial<NewLead> {
  readonly status?: LeadStatus;
}

/** In which order a list comes; a leading hyphen turns it round. */
export const leadOrders = ['-createdAt', 'createdAt', 'name', '-name'] as const;
export type LeadOrder = (typeof leadOrders)[number];

/** Which page of which leads. */
export interface LeadListQuery {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly sort: LeadOrder;
  readonly status?: LeadStatus;
  /** Any part of name or e-mail; case and accents do not matter. */
  readonly search?: string;
}

/** One page, and how many leads there are in all, as of one moment. */
export interface LeadPage {
  readonly items: LeadListItem[];
  readonly total: number;
}
