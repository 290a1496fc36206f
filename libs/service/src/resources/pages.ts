import { Type, type TProperties } from 'typebox';
import { ClosedObject, LineOf } from './fields.ts';

const pageSizeMax = 100;

/**
 * The query of a list: which page, and the list's own filters.
 *
 * @example querystring: PageQueryOf({ sort: SortBy(leadOrders), search: SearchTerm('name', 'ada') })
 */
export function PageQueryOf<Filters extends TProperties>(filters: Filters) {
  return ClosedObject({
    page: Type.Integer({ minimum: 1, default: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: pageSizeMax, default: 10 }),
    ...filters,
  });
}

/** What a list is searched for. */
export const SearchTerm = (searched: string, example: string) =>
  Type.Optional(
    LineOf(254, {
      minLength: 0,
      description: `any part of ${searched}; case and accents do not matter`,
      examples: [example],
    }),
  );

/** In which order a list comes: one of those named, the first unless asked; a leading hyphen reverses it. */
export function SortBy<const Order extends string>(orders: readonly [Order, ...Order[]]) {
  return Type.Enum([...orders], { default: orders[0], description: 'a leading hyphen reverses the order' });
}
