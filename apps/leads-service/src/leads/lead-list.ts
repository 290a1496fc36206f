import type { Static } from 'typebox';
import type { LeadListQuery, ListedLead, SortedLeads } from './lead.ts';
import type { LeadMoves } from './lead-status.ts';
import {
  extraFields,
  listedStatuses,
  type LeadExportQuerySchema,
  type LeadListQuerySchema,
} from './leads.schemas.ts';

/** Parses the filter and order of a query. */
export function filtersOf(query: Static<typeof LeadExportQuerySchema>): SortedLeads {
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

/** Whether a list shows where its leads may move. */
export const includesMoves = (include?: string): boolean =>
  extraFields.read(include).includes('allowedTransitions');

/** Formats a lead as the contract's list does, with the fields of `include`; moves where it {@link includesMoves}. */
export function listItemWith(include?: string, moves?: LeadMoves) {
  const extra = new Set(extraFields.read(include));
  return ({ version, updatedAt, deletedAt, ...lead }: ListedLead) => ({
    ...lead,
    ...(deletedAt !== null && { deletedAt }),
    ...(extra.has('version') && { version }),
    ...(extra.has('updatedAt') && { updatedAt }),
    ...(moves && { allowedTransitions: [...moves.allowedFrom(lead.status)] }),
  });
}
