import { suggestionsText } from '@tenantry/tenancy';
import { statement } from '../database.ts';

/** Customers whose names begin with a text, in the order of their names; erased ones are not there. */
export const customerSuggestions = statement({
  name: 'customer-suggestions',
  text: suggestionsText({
    table: 'customers',
    key: 'id',
    text: 'search_text',
    kept: 'erased_at IS NULL',
    columns: 'id, name, email',
  }),
});
