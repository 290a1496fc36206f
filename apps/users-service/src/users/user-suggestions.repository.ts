import { suggestionsText } from '@tenantry/tenancy';
import { statement } from '../database.ts';

/** Users whose names begin with a text, in the order of their names. */
export const userSuggestions = statement({
  name: 'user-suggestions',
  text: suggestionsText({
    table: 'profiles',
    key: 'user_id',
    text: 'search_text',
    columns: 'user_id AS id, name, email',
  }),
});
