import type { Audit } from '@tenantry/service/audit';
import type { PageRequest } from '@tenantry/service/business';
import { leadStatus, type LeadStatus } from './lead-status.ts';
import { leadTexts, type GivenTexts, type ShownTexts } from './lead-texts.ts';

/** A lead as a list shows it, without its notes. Times are ISO 8601 UTC. */
export interface LeadListItem extends Omit<ShownTexts, 'notes'> {
  readonly id: string;
  readonly status: LeadStatus;
  readonly createdAt: string;
}

/** A lead of a list with all that a list may show; `version` grows with every change. */
export interface ListedLead extends LeadListItem {
  readonly updatedAt: string;
  readonly version: number;
  /** Of one that is deleted. */
  readonly deletedAt: string | null;
}

/** A whole lead. */
export interface Lead extends ShownTexts, Omit<ListedLead, 'deletedAt'> {}

/** The fields of a new lead; absent ones are empty. */
export type NewLead = GivenTexts;

/** Changed fields: null clears an optional field, absent ones are unchanged. */
export interface LeadChanges extends Partial<NewLead> {
  readonly status?: LeadStatus;
}

/** Sort orders of leads; a leading hyphen reverses the order. Empty fields come last, reversed first. */
export const leadOrders = [
  ...(['-createdAt', 'createdAt', '-updatedAt', 'updatedAt'] as const),
  ...(['name', '-name', 'email', '-email', 'phone', '-phone'] as const),
  ...(['status', '-status', 'source', '-source'] as const),
] as const;
export type LeadOrder = (typeof leadOrders)[number];

/** Filters of leads; absent ones match all. */
export interface LeadFilters {
  /** In any of these. */
  readonly statuses?: readonly LeadStatus[];
  /** Any part of name or e-mail; case and accents do not matter. */
  readonly search?: string;
  /** The whole source; case and accents do not matter. */
  readonly source?: string;
  /** Created then or later. */
  readonly createdFrom?: Date;
  /** Created before. */
  readonly createdTo?: Date;
}

/** Which leads, and in which order. */
export interface SortedLeads extends LeadFilters {
  readonly sort: LeadOrder;
}

/** Selects a page of leads. */
export interface LeadListQuery extends SortedLeads, PageRequest {
  /** Those that are deleted, in place of the others. */
  readonly deleted: boolean;
}

/** Audit actions of leads. */
export const leadActions = [
  'lead.created',
  'lead.updated',
  'lead.deleted',
  'lead.restored',
  'lead.erased',
  'lead.purged',
  'lead.imported',
  'lead.import-undone',
  'lead.settings-changed',
  'lead.won-by-quote',
] as const;

/** The fields whose changes are recorded. */
export const auditedFields = [...leadTexts, 'status'];

/** Those whose values are kept: all others go with a lead that is erased. */
export const keptFields = { status: leadStatus.states } as const;

/** One of {@link leadActions}. */
export type LeadAction = (typeof leadActions)[number];

/** The audit trail of leads. */
export type LeadAudit = Audit<LeadAction>;

/** A lead, as the trail names it. */
export const auditTarget = ({ id, name }: Pick<Lead, 'id' | 'name'>) => ({ type: 'lead', id, name });
