import type { Static } from 'typebox';
import type { LeadFilters, LeadListItem, LeadListQuery, ListedLead } from './lead.ts';
import { leadStatus, type LeadStatus } from './lead-status.ts';
import {
  extraFields,
  listedStatuses,
  type LeadExportQuerySchema,
  type LeadListQuerySchema,
} from './leads.schemas.ts';

/** A lead of a list with the requested additional fields. */
export interface ExtendedListItem extends LeadListItem {
  readonly version?: number;
  readonly updatedAt?: string;
  readonly allowedTransitions?: LeadStatus[];
  readonly deletedAt?: string;
}

/** Parses the filter and order of a query. */
export function filtersOf(
  query: Static<typeof LeadExportQuerySchema>,
): LeadFilters & Pick<LeadListQuery, 'sort'> {
  const { status, search, source, createdFrom, createdTo, sort } = query;
  return {
    sort,
    statuses: listedStatuses.read(status),
    ...(search !== undefined && { search }),
    ...(source !== undefined && { source }),
    ...(createdFrom !== undefined && { createdFrom: new Date(createdFrom) }),
    ...(createdTo !== undefined && { createdTo: new Date(createdTo) }),
  };
}

/** Reads the query of the list. */
export function listQueryOf(query: Static<typeof LeadListQuerySchema>): LeadListQuery {
  const { page, pageSize, deleted } = query;
  return { page, pageSize, deleted: deleted === 'true', ...filtersOf(query) };
}

/** Formats a lead as the contract's list does, with the fields of `include`. */
export function listItemWith(include?: string): (lead: ListedLead) => ExtendedListItem {
  const extra = new Set(extraFields.read(include));
  return ({ version, updatedAt, deletedAt, ...lead }) => ({
    ...lead,
    ...(deletedAt !== null && { deletedAt }),
    ...(extra.has('version') && { version }),
    ...(extra.has('updatedAt') && { updatedAt }),
    ...(extra.has('allowedTransitions') && {
      allowedTransitions: [...leadStatus.allowedFrom(lead.status)],
    }),
  });
}
