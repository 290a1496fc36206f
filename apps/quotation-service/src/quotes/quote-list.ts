import type { Static } from 'typebox';
import type { ListedQuote, QuoteListQuery } from './quote.ts';
import { extraFields, listedStatuses, type QuoteListQuerySchema } from './quotes.schemas.ts';

/** Reads the query of the list. */
export function listQueryOf(query: Static<typeof QuoteListQuerySchema>): QuoteListQuery {
  const { page, pageSize, sort, include, status, customerId, search, validUntilFrom, validUntilTo } = query;
  return {
    page,
    pageSize,
    sort,
    hasMilestones: extraFields.read(include).some((field) => field === 'openedAt' || field === 'decidedAt'),
    statuses: listedStatuses.read(status),
    ...(customerId !== undefined && { customerId }),
    ...(search !== undefined && { search }),
    ...(validUntilFrom !== undefined && { validUntilFrom: new Date(validUntilFrom) }),
    ...(validUntilTo !== undefined && { validUntilTo: new Date(validUntilTo) }),
  };
}

/** Formats a quote as the contract's list does, with the fields of `include`. */
export function listItemWith(include?: string) {
  const extra = new Set(extraFields.read(include));
  return ({
    version,
    sentAt,
    openedAt = null,
    decidedAt = null,
    updatedAt,
    revision,
    ...quote
  }: ListedQuote) => ({
    ...quote,
    ...(extra.has('version') && { version }),
    ...(extra.has('sentAt') && { sentAt }),
    ...(extra.has('openedAt') && { openedAt }),
    ...(extra.has('decidedAt') && { decidedAt }),
    ...(extra.has('updatedAt') && { updatedAt }),
    ...(extra.has('revision') && { revision }),
  });
}
