import { suggestionsText } from '@tenantry/tenancy';
import { statement } from '../database.ts';

/** Leads whose names begin with a text, in the order of their names. */
export const leadSuggestions = statement({
  name: 'lead-suggestions',
  text: suggestionsText({
    table: 'leads',
    key: 'id',
    text: 'folded_name',
    kept: 'deleted_at IS NULL',
    columns: 'id, name, email',
  }),
});
