import { valuesOf, type Query } from '../protocol/query.ts';

/**
 * Goes before the indexed form of a search, in the same exchange: what follows runs as the role of searches, which sees rows with
 * the term alone, and writes nothing. The end of the exchange undoes it.
 *
 * The plan is made for the organization at hand: a generic one takes every organization for a small one, whose rows are all read.
 */
export const searching = (term: string): Query => ({
  name: 'tenancy-search',
  text: `
    SELECT set_config('app.search_term', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true),
      set_config('transaction_read_only', 'on', true),
      set_config('role', regexp_replace(session_user, '_service$', '') || '_search', true)`,
  values: valuesOf([term]),
});

/** Whether a term may have three letters or digits in a row, once it is folded; the database has the last word. */
export const mayBeIndexed = (term: string): boolean => /[a-z0-9]{3}|[^\0-\x7F]/i.test(term);
